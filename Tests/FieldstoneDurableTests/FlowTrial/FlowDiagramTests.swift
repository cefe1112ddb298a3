import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import Testing

@Suite("The diagram of a flow", .timeLimit(.minutes(20)))
struct FlowDiagramTests {
  private let options = FlowTrialOptions(moments: [])

  @Test("A box a case, an arrow a way, with what it waits for")
  func oneFlow() async throws {
    let trial = FlowTrial(Bill.write(cents: 5), options: options, world: { Ledger($0) }) {
      [DurableFlow(Bill.self, services: $0)]
    }
    let report = try await trial.run()
    #expect(
      report.diagram == """
        flowchart TD
          n0["write"]
          n1["charge"]
          n2["rest"]
          n3["decided"]
          n4(["completed"])
          n0 -->|"waits"| n1
          n1 --> n2
          n2 -->|"awaits approval"| n3
          n3 --> n4

        """)
  }

  @Test("Several flows have frames, and dotted arrows to what they start")
  func severalFlows() async throws {
    let trial = FlowTrial(
      Family.split([1, 2]), options: options, world: { Ledger($0) }, flows: Family.flows)
    let report = try await trial.run()
    #expect(
      report.diagram == """
        flowchart TD
          subgraph f0["family"]
            n0["split"]
            n1["sum"]
            n4(["completed"])
          end
          subgraph f1["child"]
            n2["work"]
            n3(["completed"])
          end
          n0 -->|"awaits children"| n1
          n0 -.-> n2
          n2 --> n3
          n1 --> n4

        """)
  }

  @Test("A stage that never succeeds is tried again, and dead")
  func dead() async throws {
    let trial = FlowTrial(Doomed.only, options: options, world: { Ledger($0) }) { _ in
      [DurableFlow(Doomed.self)]
    }
    let report = try await trial.run()
    #expect(
      report.diagram == """
        flowchart TD
          n0["only"]
          n1(["dead"])
          n0 -->|"tries again"| n0
          n0 --> n1

        """)
  }

  @Test("Several trials are one diagram, with each way once and other ends")
  func severalTrials() async throws {
    let deadline = options.beginsAt.addingTimeInterval(86_400)
    let trials = [RunOptions(), RunOptions(deadline: deadline), RunOptions()].map { start in
      FlowTrial(Bill.write(cents: 5), start: start, options: options, world: { Ledger($0) }) {
        [DurableFlow(Bill.self, services: $0)]
      }
    }
    var reports: [FlowTrialReport] = []
    for trial in trials { reports.append(try await trial.run()) }
    let lines = FlowDiagram(reports).mermaid.split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines.contains("  n5([\"cancelled\"])") && lines.contains("  n1 --> n5"))
  }
}
