import FieldstoneDurable
import FieldstoneTesting
import JournalModel
import Testing

@Suite("The journal in memory against a model of what is promised", .timeLimit(.minutes(20)))
struct JournalPropertyTests {
  @Test("Random requests with stale claims and clocks that are set")
  func sequences() async throws {
    var trial = RandomRequestTrial()
    for seed in 0..<UInt64(Rounds.of(20_000)) {
      if let failure = try await trial.failure(of: InMemoryJournal(), seed: seed) {
        Issue.record("\(failure)")
        return
      }
    }
    // Chance must reach everything, or the test says nothing.
    #expect(trial.missing(usual: Rounds.of(400), seldom: Rounds.of(50)) == [])
  }

  @Test(
    "The wait for children whose time is out behind a full key ends with the claim",
    arguments: [false, true])
  func timeOutBehindAFullKey(allEnd: Bool) async throws {
    var trial = RandomRequestTrial()
    let failure = try await trial.failureOfTimeOutBehindAFullKey(
      of: InMemoryJournal(), allEnd: allEnd)
    #expect(failure == nil)
  }
}
