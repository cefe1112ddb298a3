import FieldstoneDurable
import FieldstoneDurableTesting
import Testing

/// Trials of the articles' flows that the article on trials does not show.
@Suite("Trials of the articles' flows", .timeLimit(.minutes(30)))
struct ArticleFlowTrialTests {
  @Test("An order starts one delivery and hears of it, whichever of the two is killed")
  func outbox() async throws {
    let trial = FlowTrial(DurableArticleTests.Order.pack(7)) { _ in
      [
        DurableFlow(DurableArticleTests.Order.self, name: "order"),
        DurableFlow(DurableArticleTests.Delivery.self, name: "delivery"),
      ]
    }
    let report = try await trial.run()
    #expect(try report.outcome.value(as: String.self) == "parcel 7")
    #expect(report.path.map(\.name) == ["pack", "awaitDelivery", "drive", "close"])
    #expect(report.endsAlike, "\(report)")
    #expect(!report.kills.isEmpty && report.skippedTime < .seconds(86_400))
  }

  @Test("Work that blocks on threads of its own ends alike after a kill")
  func blocking() async throws {
    let report = try await FlowTrial(Compression.compress, world: { _ in Archive() }) {
      [DurableFlow(Compression.self, name: "compression", services: $0)]
    }.run()
    #expect(try report.outcome.value(as: Int.self) == 42)
    #expect(report.checkpoints == 1 && report.kills.count == 2)
    #expect(report.endsAlike, "\(report)")
  }
}
