import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Stages executed serially")
struct SerialExecutionTests {
  @Test("One after the other, in order")
  func inOrder() async throws {
    let log = Recorder<String>()
    struct Logged: ContextualStage {
      var number: Int
      func next(in log: Recorder<String>) async throws -> Step<Self, Int> {
        log.record("starts \(number)")
        await Task.yield()
        log.record("ends \(number)")
        return .complete(number)
      }
    }
    var numbers: [Int] = []
    for try await number in (1...3).map(Logged.init).serially(in: log) { numbers.append(number) }
    #expect(numbers == [1, 2, 3])
    #expect(
      log.elements == [
        "starts 1", "ends 1", "starts 2", "ends 2", "starts 3", "ends 3",
      ])
  }

  @Test("The first error ends it")
  func firstError() async throws {
    let stages: [FileOpen] = [.done(.sample), .parse(Data()), .done(.sample)]
    var iterator = stages.serially().makeAsyncIterator()
    let step1 = try await iterator.next()
    #expect(step1 == .sample)
    do {
      _ = try await iterator.next()
      Issue.record("It must throw.")
    } catch {
      #expect(error is DecodingError)
    }
    let step2 = try await iterator.next()
    #expect(step2 == nil)
  }

  @Test("The options are those of each execution")
  func options() async throws {
    let seen = Recorder<Countdown>()
    let options = ExecutionOptions<Countdown>(beforeStage: { seen.record($0) })
    for try await _ in [Countdown.from(0), .from(0)].serially(options: options) {}
    #expect(seen.elements == [.from(0), .from(0)])
  }

  @Test("An empty sequence ends at once")
  func empty() async throws {
    for try await _ in [Countdown]().serially() { Issue.record("There is none.") }
  }
}
