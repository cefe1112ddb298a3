import FieldstoneCore
import FieldstoneDurable
import FieldstoneStages
import Testing

/// The code of the article on finding runs that retries all runs with the same kind of error.
@Suite("The article on finding runs", .timeLimit(.minutes(20)))
struct ErrorArticleTests {
  private enum Visit: Stage, Codable {
    case knock(Int)

    func next() async throws -> Step<Self, Int> {
      switch self {
      case .knock(let house): throw MessageError("House \(house) is closed.")
      }
    }
  }

  @Test("All runs with one kind of error are retried, more than fit into a page")
  func retry() async throws {
    let shop = Workshop()
    let options = FlowOptions<Visit>(retryPolicy: { _ in .never })
    let runner = try shop.runner(DurableFlow(Visit.self, name: "visit", options: options))
    try await working(runner) {
      for house in 1...60 {
        let run = try await runner.start(Visit.knock(house))
        await #expect(throws: DurableRunError.self) { try await run.value }
      }
    }
    let journal = shop.journal
    // snippet: durable-errors
    for group in try await journal.errorGroups(atMost: 10) {
      print(group.runs, group.sample)
      var alike = RunQuery()
      alike.error = group.fingerprint
      let retry = BulkChange(.retry, of: alike)
      try await runner.perform(retry, upTo: try await runner.count(retry), by: "ada")
    }
    // end
    #expect(try await journal.count(RunQuery(states: [.ready])) == RunCount(60))
    #expect(try await journal.count(RunQuery(states: [.dead])) == RunCount(0))
  }
}
