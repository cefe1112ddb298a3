import FieldstoneCore
import FieldstoneTesting
import Testing

@Suite("The state machine of a call")
struct CallStateMachineTests {
  struct Trouble: Error, Equatable { var number: Int }

  @Test("A call runs, or waits and then runs, and takes its result")
  func straight() {
    var life = CallStateMachine<Int>()
    #expect(!life.isUnderWay && life.outcome == nil)
    #expect(life.start(waiting: false).text == "run")
    #expect(life.finish(with: .success(1)).text == "end success 1")
    #expect(life.outcome?.value == 1)

    life = CallStateMachine<Int>()
    #expect(life.start(waiting: true).text == "wait")
    #expect(life.isUnderWay)
    #expect(life.proceed().text == "run")
    #expect(life.finish(with: .failure(Trouble(number: 2))).text == "end failure 2")
  }

  @Test("What has to be stopped is what is under way", arguments: CancellationReason.allCases)
  func stopping(reason: CancellationReason) {
    var prepared = CallStateMachine<Int>()
    #expect(prepared.cancel(reason).text == "end cancelled \(reason)")
    var waiting = CallStateMachine<Int>()
    _ = waiting.start(waiting: true)
    #expect(waiting.cancel(reason).text == "stop, end cancelled \(reason)")
    var running = CallStateMachine<Int>()
    _ = running.start(waiting: false)
    #expect(running.cancel(reason).text == "stop, end cancelled \(reason)")
  }

  @Test("Whatever comes in whatever order, a call ends at most once and never leaves its end")
  func anyOrder() {
    for seed in 0..<UInt64(Rounds.of(20_000)) {
      var random = SeededGenerator(seed: seed)
      var life = CallStateMachine<Int>()
      var (ends, runs, end) = (0, 0, "")
      for step in 0..<12 {
        let action: CallStateMachine<Int>.Action
        switch Int.random(in: 0..<6, using: &random) {
        case 0: action = life.start(waiting: Bool.random(using: &random))
        case 1, 2: action = life.proceed()
        case 3: action = life.finish(with: .success(step))
        case 4: action = life.finish(with: .failure(Trouble(number: step)))
        default: action = life.cancel(.caller)
        }
        switch action {
        case .none: break
        case .wait: #expect(ends == 0 && runs == 0, "seed \(seed)")
        case .run:
          runs += 1
          #expect(ends == 0, "seed \(seed)")
        case .end(let outcome, _):
          ends += 1
          end = outcome.text
        }
        #expect(ends == 0 || life.outcome?.text == end, "seed \(seed)")
      }
      #expect(ends <= 1 && runs <= 1, "seed \(seed)")
    }
  }
}

extension CallStateMachine.Action {
  fileprivate var text: String {
    switch self {
    case .none: "none"
    case .wait: "wait"
    case .run: "run"
    case .end(let outcome, let stopping): (stopping ? "stop, " : "") + "end \(outcome.text)"
    }
  }
}

extension Outcome {
  fileprivate var text: String {
    switch self {
    case .success(let value): "success \(value)"
    case .failure(let error as CallStateMachineTests.Trouble): "failure \(error.number)"
    case .failure(let error): "failure \(error)"
    case .cancelled(let reason): "cancelled \(reason)"
    }
  }
}
