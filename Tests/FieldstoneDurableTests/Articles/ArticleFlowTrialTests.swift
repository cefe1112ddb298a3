import FieldstoneDurable
import FieldstoneDurableTesting
import Testing

/// Trials of the articles' flows that the article on trials does not show.
@Suite("Trials of the articles' flows", .timeLimit(.minutes(20)))
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

  @Test("A backup that is killed reports again, and copies as many files")
  func backup() async throws {
    let files = ["a.txt", "b.tmp"]
    let report = try await FlowTrial(Backup.copy(files)) { _ in [DurableFlow(Backup.self)] }.run()
    #expect(try report.outcome.value(as: Int.self) == 2)
    #expect(report.checkpoints == 1 && report.kills.count == 2)
    #expect(report.endsAlike, "\(report)")
  }

  @Test("Each stage of an order ends alike after a kill", arguments: Orders.samples)
  func orders(stage: Orders.Order) async throws {
    let report = try await FlowTrial(stage) { _ in [Orders.flow] }.run()
    #expect(try !report.outcome.value(as: String.self).isEmpty)
    #expect(report.kills.count == 2)
    #expect(report.endsAlike, "\(report)")
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
