package import FieldstoneDurable
package import Foundation

/// The path of a run: a box for each stage, an arrow for each transition.
///
/// With ``surround(with:_:)`` it is marked on the diagram of its flow, as other runs show it.
package struct RunGraph {
  /// What a box stands for; a stage may be named like another kind.
  enum Node: Hashable {
    /// The stages whose steps have been purged.
    case earlier
    case stage(String)
    /// The end of a completed run, which leaves no stage.
    case completion

    var name: String {
      switch self {
      case .earlier: "…"
      case .stage(let name): name
      case .completion: "completed"
      }
    }
  }

  /// A stage, however often the run reached it.
  struct Box {
    var node: Node
    /// The number of times that the run reached it.
    var visits = 0
    /// The total number of attempts.
    var attempts = 0
    /// The state of the run, at its current stage; nil elsewhere.
    var state: RunState?
    /// The last error.
    var error: String?
    /// Whether only other runs of the flow reached it.
    var isQuiet = false

    var name: String { node.name }
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
    /// Whether only other runs of the flow took it.
    var isQuiet = false

    /// The count, and the average duration.
    var label: String {
      if isQuiet { return "" }
      return switch kind {
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
  /// Whether the picture is the flow's, on which the run's path is marked.
  let isOfFlow: Bool

  /// The largest numbers of boxes and arrows that other runs add.
  private static let (quietBoxes, quietArrows) = (40, 120)

  private let run: RunRecord
  private let name: (Data) -> String
  private var numbers: [Node: Int] = [:]
  private var transitions: [Transition: Int] = [:]
  /// The last box of the path so far.
  private var place: Int?
  private var last: StepRecord?

  private struct Transition: Hashable {
    var from: Int
    var to: Int
    var kind: StepRecord.Kind
  }

  /// Begins the graph of a run; add its steps, and then end it.
  ///
  /// - Parameter name: the name of the stage that a payload is of.
  package init(
    _ run: RunRecord, isOfFlow: Bool = false,
    name: @escaping (Data) -> String = StageText.name(of:)
  ) {
    self.name = name
    title = "\(run.flow.inOneLine) \(run.id)"
    self.run = run
    self.isOfFlow = isOfFlow
  }

  /// Adds a step, in the order of the run.
  package mutating func add(_ step: StepRecord) {
    begin(at: step.sequence)
    let next = box(of: .stage(name(step.payload)))
    boxes[next].visits += 1
    boxes[next].attempts += step.attempts
    boxes[next].error = step.error ?? boxes[next].error
    go(to: next)
    last = step
  }

  /// Adds the run's current stage.
  package mutating func end() {
    begin(at: run.sequence)
    let end = box(of: end(of: run))
    boxes[end].visits += 1
    boxes[end].attempts += run.attempts
    boxes[end].state = run.state
    boxes[end].error = run.error ?? boxes[end].error
    go(to: end)
  }

  /// Begins the path with a box “…” if the oldest steps have been purged; where others are left out,
  /// it has a gap.
  private mutating func begin(at sequence: Int) {
    if let last, last.sequence + 1 != sequence { place = nil }
    guard boxes.isEmpty, sequence > 0 else { return }
    place = box(of: .earlier)
    boxes[0].visits = sequence
  }

  private mutating func go(to next: Int) {
    if let place { count(from: place, to: next, last) }
    place = next
  }

  private mutating func box(of node: Node) -> Int {
    if let known = numbers[node] { return known }
    boxes.append(Box(node: node))
    numbers[node] = boxes.count - 1
    return boxes.count - 1
  }

  private mutating func count(from: Int, to: Int, _ step: StepRecord?) {
    let index = arrow(Transition(from: from, to: to, kind: step?.kind ?? .done))
    arrows[index].count += 1
    if let step {
      arrows[index].seconds =
        (arrows[index].seconds ?? 0) + step.endedAt.timeIntervalSince(step.beganAt)
    }
  }

  private mutating func arrow(_ transition: Transition) -> Int {
    if let known = transitions[transition] { return known }
    arrows.append(Arrow(from: transition.from, to: transition.to, kind: transition.kind))
    transitions[transition] = arrows.count - 1
    return arrows.count - 1
  }
}

extension RunGraph {
  /// Adds what another run of the flow came through, quiet; the graph must have ended.
  ///
  /// A new box stands before the next box of that run's way that is here, so that branches are
  /// between the stages that they leave and join. Boxes and arrows beyond a bound are left out.
  ///
  /// - Parameters:
  ///   - other: the run.
  ///   - steps: some of its steps, oldest first; where numbers are left out, there is no arrow.
  /// - Complexity: O(n · b) in the numbers of steps and of boxes.
  package mutating func surround(with other: RunRecord, _ steps: [StepRecord]) {
    var way = steps.filter { $0.sequence < other.sequence }.map {
      (sequence: $0.sequence, node: Node.stage(name($0.payload)), kind: $0.kind)
    }
    way.append((other.sequence, end(of: other), .done))
    var before: (sequence: Int, box: Int, kind: StepRecord.Kind)?
    for (index, stage) in way.enumerated() {
      let known =
        numbers[stage.node]
        ?? insert(stage.node, after: before?.box, towards: way[(index + 1)...].lazy.map(\.node))
      guard let box = known else {
        before = nil
        continue
      }
      if let last = before, last.sequence + 1 == stage.sequence {
        add(Transition(from: last.box, to: box, kind: last.kind))
      }
      before = (stage.sequence, box, stage.kind)
    }
  }

  private func end(of run: RunRecord) -> Node {
    run.state == .completed ? .completion : .stage(name(run.payload))
  }

  private mutating func add(_ transition: Transition) {
    guard transitions[transition] == nil,
      arrows.count(where: \.isQuiet) < Self.quietArrows
    else { return }
    arrows[arrow(transition)].isQuiet = true
  }

  /// Adds a box between others.
  ///
  /// - Returns: its number; nil if there are too many.
  private mutating func insert(
    _ node: Node, after before: Int?, towards nodes: some Sequence<Node>
  ) -> Int? {
    guard boxes.count(where: \.isQuiet) < Self.quietBoxes else { return nil }
    let first = before.map { $0 + 1 } ?? 0
    let known = numbers
    let next = nodes.lazy.compactMap { known[$0] }.first { $0 >= first }
    let place = next ?? position(of: node, behind: before)
    numbers = numbers.mapValues { $0 < place ? $0 : $0 + 1 }
    for index in arrows.indices {
      if arrows[index].from >= place { arrows[index].from += 1 }
      if arrows[index].to >= place { arrows[index].to += 1 }
    }
    transitions = [:]
    for (index, arrow) in arrows.enumerated() {
      transitions[Transition(from: arrow.from, to: arrow.to, kind: arrow.kind)] = index
    }
    boxes.insert(Box(node: node, isQuiet: true), at: place)
    numbers[node] = place
    return place
  }

  /// The place of a box that no later one of its way is known for.
  ///
  /// It leaves the boxes of the run's own path together. The box of the completed is the last one,
  /// as a completed run leaves no stage.
  private func position(of node: Node, behind before: Int?) -> Int {
    let end = node == .completion ? boxes.count : numbers[.completion] ?? boxes.count
    guard node != .completion, let before else { return end }
    let last = max(end, before + 1)
    return (before + 1..<last).first { boxes[$0].isQuiet } ?? last
  }

  /// The run's path in words, and the stages that only other runs came through.
  package var words: String {
    let path = boxes.filter { !$0.isQuiet }
    let names = path.prefix(Self.wordedBoxes).map { box in
      if box.node == .earlier { return "\(box.visits) earlier stages" }
      return box.name + (box.detail.isEmpty ? "" : " (\(box.detail))")
    }
    let more = path.count > names.count ? ", and \(path.count - names.count) more" : ""
    let others = boxes.filter(\.isQuiet).map(\.name)
    return names.joined(separator: ", then ") + more + "."
      + (others.isEmpty ? "" : " Only other runs: \(others.joined(separator: ", ")).")
  }

  /// The largest number of stages in words.
  private static let wordedBoxes = 40
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
    text.replacingScalars { scalar in
      switch scalar {
      case "\"", "#", "<", ">", "&", "`", ";", "|": "#\(scalar.value);"
      default: nil
      }
    }
  }

  /// Quotes a text for the header, which is YAML.
  private static func quoted(_ text: String) -> String {
    "'\(text.replacingScalars { $0 == "'" ? "''" : nil })'"
  }
}
