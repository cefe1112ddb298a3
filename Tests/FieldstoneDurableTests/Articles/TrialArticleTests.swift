import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import Testing

/// The code of the article on testing a flow, compiled and run.
@Suite("The article on testing a flow", .timeLimit(.minutes(20)))
struct TrialArticleTests {
  // snippet: trial-doubles
  @Test func aPlainNewsletterMaySendALetterTwice() async throws {
    let trial = FlowTrial(Newsletter.collect(issue: 7), world: { _ in PostOffice() }) { post in
      [DurableFlow(Newsletter.self, name: "newsletter", services: post)]
    }
    let report = try await trial.comparing { await $0.letters }.run()
    #expect(try report.outcome.value(as: Int.self) == 4)
    #expect(!report.endsAlike)
    #expect(report.differences.map(\.stage.name) == ["send", "send", "send", "send"])
  }
  // end

  // snippet: trial-keyed
  @Test func nobodyGetsALetterTwice() async throws {
    let trial = FlowTrial(KeyedNewsletter.collect(issue: 7), world: { _ in PostOffice() }) { post in
      [DurableFlow(KeyedNewsletter.self, name: "keyed", services: post)]
    }
    .answering("approval") { _ in true }
    .comparing { await $0.letters }
    let report = try await trial.run()
    #expect(report.endsAlike, "\(report)")
  }
  // end

  // snippet: trial-time-out
  @Test func withoutAnApprovalNothingIsSentAfterADay() async throws {
    let trial = FlowTrial(KeyedNewsletter.collect(issue: 7), world: { _ in PostOffice() }) { post in
      [DurableFlow(KeyedNewsletter.self, name: "keyed", services: post)]
    }
    let report = try await trial.run()
    #expect(try report.outcome.value(as: Int.self) == 0)
    #expect(report.skippedTime >= .seconds(86_400))
  }
  // end

  // snippet: trial-children
  @Test func aCensusAddsUp() async throws {
    let files = (1...4).map { URL(filePath: "/\($0)") }
    let trial = FlowTrial(Census.split(files)) { _ in
      [
        DurableFlow(Census.self, name: "census"),
        DurableFlow(FileCount.self, name: "file-count"),
      ]
    }
    let report = try await trial.run()
    #expect(try report.outcome.value(as: Int.self) == 10)
    #expect(report.endsAlike, "\(report)")
  }
  // end

  @Test("A diagram")
  func diagram() async throws {
    func trial() -> FlowTrial<PostOffice> {
      FlowTrial(
        KeyedNewsletter.collect(issue: 7), options: FlowTrialOptions(moments: []),
        world: { _ in PostOffice() }
      ) {
        [DurableFlow(KeyedNewsletter.self, name: "keyed", services: $0)]
      }
    }
    // snippet: trial-diagram
    let approved = try await trial().answering("approval") { _ in true }.run()
    let tooLate = try await trial().run()
    let text = FlowDiagram([approved, tooLate]).mermaid
    // end
    // As the article has it.
    #expect(
      text == """
        flowchart TD
          n0["collect"]
          n1["approved"]
          n2["send"]
          n3(["completed"])
          n0 -->|"awaits approval"| n1
          n1 --> n2
          n2 --> n2
          n2 --> n3
          n1 --> n3

        """)
  }
}
