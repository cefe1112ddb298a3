import FieldstoneDurable
import Foundation

/// The path of a run: a box for each stage, an arrow for each way from one to another.
struct RunGraph {
  /// A stage, however often the run came to it.
  struct Box {
    var name: String
    /// How often the run came to it.
    var visits = 0
    /// How many attempts that took.
    var attempts = 0
    /// How the run stands, at the stage where it is.
    var state: RunState?
    /// What went wrong last.
    var error: String?
  }

  /// A way from one stage to another.
  struct Arrow {
    var from: Int
    var to: Int
    var kind: StepRecord.Kind
    /// How often it was gone.
    var count = 0
    /// How long the work of all these times took; nil when that is not known any more.
    var seconds: TimeInterval?

    /// The count, and the time that it took once.
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
  /// What it is a picture of.
  let title: String

  init(_ run: RunRecord, steps: [StepRecord]) {
    title = "\(run.flow.inOneLine) \(run.id)"
    var path = steps.map { (name: StageText.name(of: $0.payload), step: $0) }[...]
    // The oldest steps may have been purged.
    if let first = steps.first?.sequence ?? Optional(run.sequence), first > 0 {
      boxes.append(Box(name: "…", visits: first))
    }
    var place: Int? = boxes.isEmpty ? nil : 0
    var last: StepRecord?
    while let (name, step) = path.popFirst() {
      let next = box(named: name)
      boxes[next].visits += 1
      boxes[next].attempts += step.attempts
      boxes[next].error = step.error ?? boxes[next].error
      if let place { count(from: place, to: next, last) }
      place = next
      last = step
    }
    let end = box(named: run.state == .completed ? "completed" : StageText.name(of: run.payload))
    boxes[end].visits += 1
    boxes[end].attempts += run.attempts
    boxes[end].state = run.state
    boxes[end].error = run.error ?? boxes[end].error
    if let place { count(from: place, to: end, last) }
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
  /// What is written under the name.
  var detail: String {
    if state == .completed { return "" }
    var parts: [String] = []
    if visits > 1 { parts.append("\(visits) times") }
    if attempts > visits { parts.append("\(attempts) attempts") }
    if let state { parts.insert(state == .ready ? "waiting" : state.rawValue, at: 0) }
    return parts.joined(separator: ", ")
  }
}
