import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("The schedule of calls")
struct CallScheduleTests {
  @Test("A queue gives turns in order, skips those who have left and counts those who wait")
  func queue() {
    var schedule = CallSchedule(.queue(limit: 2))
    #expect(schedule.admit(1).admission == .run(after: .zero))
    #expect(schedule.admit(2).admission == .queue)
    #expect(schedule.admit(3).admission == .queue)
    #expect(schedule.admit(4).admission == .refuse)
    #expect(schedule.ended(2) == nil)
    #expect(schedule.admit(5).admission == .queue)
    #expect(schedule.ended(1) == 3)
    #expect(schedule.ended(3) == 5)
    #expect(schedule.ended(5) == nil)
    #expect(schedule.admit(6).admission == .run(after: .zero))
  }

  @Test("A late word of a call that has given way does not end the one in its place")
  func lateWord() {
    var schedule = CallSchedule(.latest(debounce: .zero))
    #expect(schedule.admit(1).superseded == nil)
    #expect(schedule.admit(2).superseded == 1)
    #expect(schedule.ended(1) == nil)
    #expect(schedule.admit(3).superseded == 2)
  }

  @Test("A queue agrees with a plain list")
  func queueModel() {
    for seed in 0..<UInt64(Rounds.of(20_000)) {
      var random = SeededGenerator(seed: seed)
      let limit = Int.random(in: 0..<50, using: &random)
      var schedule = CallSchedule(.queue(limit: limit))
      var (running, waiting): (Int?, [Int]) = (nil, [])
      for number in 0..<Int.random(in: 1..<100, using: &random) {
        if Int.random(in: 0..<3, using: &random) > 0 {
          let admission = schedule.admit(number).admission
          if running == nil {
            running = number
            #expect(admission == .run(after: .zero), "seed \(seed)")
          } else if waiting.count < limit {
            waiting.append(number)
            #expect(admission == .queue, "seed \(seed)")
          } else {
            #expect(admission == .refuse, "seed \(seed)")
          }
        } else if let current = running, Bool.random(using: &random) {
          running = waiting.isEmpty ? nil : waiting.removeFirst()
          #expect(schedule.ended(current) == running, "seed \(seed)")
        } else if let index = waiting.indices.randomElement(using: &random) {
          #expect(schedule.ended(waiting.remove(at: index)) == nil, "seed \(seed)")
        }
      }
    }
  }
}
