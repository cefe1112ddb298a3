import FieldstoneRunDisplay

/// A diagram of flows' cases and the transitions that trials took, for your own documentation.
///
/// A trial takes one path through a flow. Several trials, each with other answers or another first
/// stage, show all of them:
///
/// ```swift
/// let text = FlowDiagram([approved, refused, tooLate]).mermaid
/// ```
public struct FlowDiagram: Sendable {
  private var transitions: [TrialTransition] = []

  /// Makes the diagram of the undisturbed runs of some trials.
  ///
  /// - Complexity: O(n) in the number of stages of all trials.
  public init(_ reports: [FlowTrialReport]) {
    var known: Set<TrialTransition> = []
    for report in reports {
      transitions += report.transitions.filter { known.insert($0).inserted }
    }
  }

  /// The diagram in Mermaid's language, with a box per case and an arrow per transition with its
  /// wait.
  ///
  /// A dotted arrow leads to the first case of a run that a stage starts. Several flows are in
  /// frames with their names.
  public var mermaid: String {
    var nodes: [TrialNode] = []
    var numbers: [TrialNode: Int] = [:]
    for node in transitions.flatMap({ [$0.from, $0.to] }) where numbers[node] == nil {
      numbers[node] = nodes.count
      nodes.append(node)
    }
    var flows: [String] = []
    for node in nodes where !flows.contains(node.flow) { flows.append(node.flow) }
    var lines = ["flowchart TD"]
    for (index, flow) in flows.enumerated() {
      let margin = flows.count > 1 ? "    " : "  "
      if flows.count > 1 {
        lines.append("  subgraph f\(index)[\"\(RunGraph.mermaidEscaped(flow))\"]")
      }
      for (number, node) in nodes.enumerated() where node.flow == flow {
        let text = "\"\(RunGraph.mermaidEscaped(node.name))\""
        lines.append(margin + "n\(number)" + (node.isEnd ? "([\(text)])" : "[\(text)]"))
      }
      if flows.count > 1 { lines.append("  end") }
    }
    for transition in transitions {
      guard let from = numbers[transition.from], let to = numbers[transition.to] else { continue }
      let line = transition.kind == .starts ? "-.->" : "-->"
      let label = transition.kind.label.map { "|\"\(RunGraph.mermaidEscaped($0))\"|" } ?? ""
      lines.append("  n\(from) \(line)\(label) n\(to)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A case of a flow, or an end of it.
struct TrialNode: Sendable, Hashable {
  var flow: String
  var name: String
  var isEnd = false
}

/// A transition from a case of a flow to another one.
struct TrialTransition: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case advance
    case wait
    case signals([String])
    case children
    /// To the first case of a run that the stage starts.
    case starts
    /// To the same case, after a failed attempt.
    case retry

    var label: String? {
      switch self {
      case .advance, .starts: nil
      case .wait: "waits"
      case .signals(let names): "awaits \(names.joined(separator: " or "))"
      case .children: "awaits children"
      case .retry: "tries again"
      }
    }
  }

  var from: TrialNode
  var to: TrialNode
  var kind: Kind
}
