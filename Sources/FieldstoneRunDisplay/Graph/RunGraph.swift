package import FieldstoneDurable
import Foundation

/// The path of a run: a box for each stage, an arrow for each transition.
package struct RunGraph {
  /// A stage, however often the run reached it.
  struct Box {
    var name: String
    /// The number of times that the run reached it.
    var visits = 0
    /// The total number of attempts.
    var attempts = 0
    /// The state of the run, at its current stage; nil elsewhere.
    var state: RunState?
    /// The last error.
    var error: String?
  }

  /// A transition from one stage to another.
  struct Arrow {
    var from: Int
    var to: Int
    var kind: StepRecord.Kind
    /// The number of times that it was taken.
    var count = 0
    /// The total duration of its work; nil if it is unknown.
    var seconds: TimeInterval?

    /// The count, and the average duration.
    var label: String {
      switch kind {
      case .done:
        "\(count) ×" + (seconds.map { " \(StageText.duration($0 / Double(max(count, 1))))" } ?? "")
      case .edited: count == 1 ? "edited" : "edited \(count) ×"
      }
    }
  }

  private(set) var boxes: [Box] = []
  private(set) var arrows: [Arrow] = []
  /// The flow and the run of the picture.
  package let title: String

  private let run: RunRecord
  /// The last box of the path so far.
  private var place: Int?
  private var last: StepRecord?

  /// Begins the graph of a run; add its steps, and then end it.
  package init(_ run: RunRecord) {
    title = "\(run.flow.inOneLine) \(run.id)"
    self.run = run
  }

  /// Adds the next step.
  package mutating func add(_ step: StepRecord) {
    begin(at: step.sequence)
    let next = box(named: StageText.name(of: step.payload))
    boxes[next].visits += 1
    boxes[next].attempts += step.attempts
    boxes[next].error = step.error ?? boxes[next].error
    go(to: next)
    last = step
  }

  /// Adds the run's current stage.
  package mutating func end() {
    begin(at: run.sequence)
    let end = box(named: run.state == .completed ? "completed" : StageText.name(of: run.payload))
    boxes[end].visits += 1
    boxes[end].attempts += run.attempts
    boxes[end].state = run.state
    boxes[end].error = run.error ?? boxes[end].error
    go(to: end)
  }

  /// Begins the path with a box “…” if the oldest steps have been purged.
  private mutating func begin(at sequence: Int) {
    guard place == nil, sequence > 0 else { return }
    boxes.append(Box(name: "…", visits: sequence))
    place = 0
  }

  private mutating func go(to next: Int) {
    if let place { count(from: place, to: next, last) }
    place = next
  }

  private mutating func box(named name: String) -> Int {
    if let known = boxes.firstIndex(where: { $0.name == name }) { return known }
    boxes.append(Box(name: name))
    return boxes.count - 1
  }

  private mutating func count(from: Int, to: Int, _ step: StepRecord?) {
    let kind = step?.kind ?? .done
    let index =
      arrows.firstIndex { $0.from == from && $0.to == to && $0.kind == kind } ?? arrows.count
    if index == arrows.count { arrows.append(Arrow(from: from, to: to, kind: kind)) }
    arrows[index].count += 1
    if let step {
      arrows[index].seconds =
        (arrows[index].seconds ?? 0) + step.endedAt.timeIntervalSince(step.beganAt)
    }
  }
}

extension RunGraph.Box {
  /// The text under the name.
  var detail: String {
    if state == .completed { return "" }
    var parts: [String] = []
    if visits > 1 { parts.append("\(visits) times") }
    if attempts > visits { parts.append("\(attempts) attempts") }
    if let state { parts.insert(state == .ready ? "waiting" : state.rawValue, at: 0) }
    return parts.joined(separator: ", ")
  }
}

extension RunGraph {
  /// The graph in Mermaid's language.
  package var mermaid: String {
    var lines = ["---", "title: \(Self.quoted(title))", "---", "flowchart TD"]
    for (index, box) in boxes.enumerated() {
      let text = [box.name, box.detail].filter { !$0.isEmpty }.map(Self.mermaidEscaped)
        .joined(separator: "<br/>")
      let mark = box.state.map { ":::\($0.rawValue)" } ?? ""
      lines.append(
        box.state == .completed
          ? "  n\(index)([\"\(text)\"])\(mark)" : "  n\(index)[\"\(text)\"]\(mark)")
    }
    for arrow in arrows {
      let line = arrow.kind == .edited ? "-.->" : "-->"
      lines.append("  n\(arrow.from) \(line)|\"\(Self.mermaidEscaped(arrow.label))\"| n\(arrow.to)")
    }
    lines += [
      "  classDef completed stroke:#248a3d,stroke-width:2px",
      "  classDef running stroke:#0066cc,stroke-width:2px",
      "  classDef ready stroke:#6e6e73,stroke-width:2px",
      "  classDef dead fill:#d70015,stroke:#8f000e,color:#ffffff,stroke-width:3px",
      "  classDef blocked fill:#ffcc00,stroke:#b25000,color:#1d1d1f,stroke-width:3px",
      "  classDef cancelled stroke:#6e6e73,stroke-dasharray:4 3",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Escapes a text for quotation marks in Mermaid's language.
  package static func mermaidEscaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\"", "#", "<", ">", "&", "`", ";", "|":
        character.unicodeScalars.map { "#\($0.value);" }.joined()
      default: String(character)
      }
    }.joined()
  }

  /// Quotes a text for the header, which is YAML.
  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
  }
}
