import FieldstoneDurable
import Foundation

extension RunGraph {
  /// The graph as SVG, for light and dark backgrounds.
  package var svg: String {
    let layout = GraphLayout(self)
    let titleWidth = Double(title.count) * GraphLayout.boldWidth + 2 * layout.margin
    let width = Self.number(max(layout.width, titleWidth))
    let height = Self.number(layout.height)
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img">
      """,
      "<title>\(Self.escaped(title))</title>", Self.style,
      "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>",
      """
      <text class="title" x="\(Self.number(layout.margin))" y="\(Self.number(layout.margin + 8))">\
      \(Self.escaped(title))</text>
      """,
    ]
    lines += straightArrows(layout)
    lines += layout.right.map { lane($0, layout, side: 1) }
    lines += layout.left.map { lane($0, layout, side: -1) }
    lines += boxes.indices.map { box($0, layout) }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  private func box(_ index: Int, _ layout: GraphLayout) -> String {
    let box = boxes[index]
    let top = layout.boxTop(index)
    let detail = box.detail
    let hint = box.error.map { "<title>\(Self.escaped($0.inOneLine))</title>" } ?? ""
    var text = """
      <g class="box \(box.state?.rawValue ?? "")">\(hint)\
      <rect x="\(Self.number(layout.boxLeft))" y="\(Self.number(top))" \
      width="\(Self.number(layout.boxWidth))" height="\(Self.number(layout.boxHeight))" \
      rx="\(box.state == .completed ? 23 : 8)"/>\
      <text class="name" x="\(Self.number(layout.center))" \
      y="\(Self.number(top + (detail.isEmpty ? 28 : 20)))">\(Self.escaped(box.name))</text>
      """
    if !detail.isEmpty {
      text += """
        <text class="detail" x="\(Self.number(layout.center))" y="\(Self.number(top + 36))">\
        \(Self.escaped(detail))</text>
        """
    }
    return text + "</g>"
  }

  private func straightArrows(_ layout: GraphLayout) -> [String] {
    var places: [Int: Int] = [:]
    return layout.straight.map { index in
      let arrow = arrows[index]
      // A stage that was left by work and by an edit has two arrows.
      let place = places[arrow.from, default: 0]
      places[arrow.from] = place + 1
      let x = layout.center - Double(place) * layout.boxWidth / 3
      let begin = layout.boxTop(arrow.from) + layout.boxHeight
      let end = layout.boxTop(arrow.to) - 1
      let path = "M\(Self.number(x)) \(Self.number(begin))V\(Self.number(end - 7))"
      let label = place == 0 ? (x + 8, "start") : (x - 8, "end")
      return draw(
        arrow, path, head: (x, end, 0, 1), label: (label.0, (begin + end) / 2 + 4), label.1)
    }
  }

  private func lane(_ lane: GraphLayout.Lane, _ layout: GraphLayout, side: Double) -> String {
    let arrow = arrows[lane.arrow]
    let edge = side > 0 ? layout.boxRight : layout.boxLeft
    let x = edge + side * (14 + Double(lane.number) * layout.laneWidth)
    let shift = min(8 + Double(lane.number) * 4, 20)
    let isLoop = arrow.from == arrow.to
    // Arrows start and end at different heights, so that they can be distinguished.
    let direction: Double = arrow.to < arrow.from ? -1 : 1
    let begin = layout.middle(arrow.from) + (isLoop ? -shift : direction * shift)
    let end = layout.middle(arrow.to) + (isLoop ? shift : -direction * shift)
    let turn = end > begin ? 6.0 : -6.0
    let path = [
      "M\(Self.number(edge)) \(Self.number(begin))", "H\(Self.number(x - side * 6))",
      "Q\(Self.number(x)) \(Self.number(begin)) \(Self.number(x)) \(Self.number(begin + turn))",
      "V\(Self.number(end - turn))",
      "Q\(Self.number(x)) \(Self.number(end)) \(Self.number(x - side * 6)) \(Self.number(end))",
      "H\(Self.number(edge + side * 8))",
    ].joined()
    return draw(
      arrow, path, head: (edge + side, end, -side, 0),
      label: (x + side * 6, (begin + end) / 2 + 4), side > 0 ? "start" : "end")
  }

  private func draw(
    _ arrow: Arrow, _ path: String, head: (x: Double, y: Double, dx: Double, dy: Double),
    label: (x: Double, y: Double), _ anchor: String
  ) -> String {
    let corners = [
      (head.x, head.y), (head.x - head.dx * 8 - head.dy * 4, head.y - head.dy * 8 - head.dx * 4),
      (head.x - head.dx * 8 + head.dy * 4, head.y - head.dy * 8 + head.dx * 4),
    ]
    let points = corners.map { "\(Self.number($0.0)),\(Self.number($0.1))" }.joined(separator: " ")
    return """
      <g class="arrow \(arrow.kind.rawValue)"><path d="\(path)"/><polygon points="\(points)"/>\
      <text x="\(Self.number(label.x))" y="\(Self.number(label.y))" text-anchor="\(anchor)">\
      \(Self.escaped(arrow.label))</text></g>
      """
  }

  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  /// Words and borders mark dead and blocked, too, not colour alone.
  private static let style = """
    <style>
    text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1d1d1f}
    .title{font-weight:600}.name{font-weight:600;text-anchor:middle}
    .detail{font-size:12px;text-anchor:middle;fill:#515154}
    .ground{fill:#ffffff}.box rect{fill:#f2f2f7;stroke:#8e8e93;stroke-width:1}
    .arrow path{fill:none;stroke:#6e6e73;stroke-width:1.5}.arrow polygon{fill:#6e6e73}
    .arrow text{font-size:12px;fill:#515154}.edited path{stroke-dasharray:5 4}
    .completed rect{fill:#e2f5e6;stroke:#248a3d;stroke-width:2}
    .running rect{fill:#e3f0ff;stroke:#0066cc;stroke-width:2}
    .ready rect{stroke:#515154;stroke-width:2}
    .dead rect{fill:#ffdfe0;stroke:#c4001a;stroke-width:4}
    .blocked rect{fill:#fff0c2;stroke:#a04a00;stroke-width:4;stroke-dasharray:10 4}
    .cancelled rect{stroke:#515154;stroke-width:2;stroke-dasharray:4 3}
    @media (prefers-color-scheme:dark){
    text{fill:#f5f5f7}.detail,.arrow text{fill:#c7c7cc}.ground{fill:#1c1c1e}
    .box rect{fill:#2c2c2e;stroke:#8e8e93}.arrow path{stroke:#aeaeb2}.arrow polygon{fill:#aeaeb2}
    .completed rect{fill:#12351c;stroke:#30d158}.running rect{fill:#0a2a4d;stroke:#409cff}
    .ready rect{stroke:#c7c7cc}.dead rect{fill:#4a0e12;stroke:#ff6961}
    .blocked rect{fill:#423000;stroke:#ffb340}.cancelled rect{stroke:#c7c7cc}
    }
    </style>
    """
}

/// The positions of a picture's boxes and arrows.
///
/// Boxes are stacked in the order in which the run reached them. An arrow to the next box is
/// straight; others use lanes beside the boxes.
struct GraphLayout {
  /// An arrow beside the boxes.
  struct Lane {
    var arrow: Int
    /// Its number, from the boxes outwards.
    var number: Int
  }

  let graph: RunGraph
  let boxWidth: Double
  let boxHeight = 46.0
  let gap = 56.0
  let margin = 24.0
  let laneWidth: Double
  /// The maximum average width of a letter in a name.
  static let boldWidth = 9.4
  /// Straight arrows to the next box.
  private(set) var straight: [Int] = []
  /// Arrows that skip a box, or return to the same one.
  private(set) var right: [Lane] = []
  /// Arrows back.
  private(set) var left: [Lane] = []

  init(_ graph: RunGraph) {
    self.graph = graph
    // Uses the letter widths of the widest font, because text can't be measured here.
    let widths = graph.boxes.flatMap {
      [Double($0.name.count) * Self.boldWidth, Double($0.detail.count) * 7]
    }
    boxWidth = max(widths.max() ?? 0, 120).rounded() + 32
    let labels = graph.arrows.map(\.label.count).max() ?? 0
    laneWidth = Double(labels) * 6.6 + 22
    for (index, arrow) in graph.arrows.enumerated() where arrow.to == arrow.from + 1 {
      straight.append(index)
    }
    let beside = graph.arrows.indices.filter { graph.arrows[$0].to != graph.arrows[$0].from + 1 }
    right = Self.lanes(beside.filter { graph.arrows[$0].to >= graph.arrows[$0].from }, in: graph)
    left = Self.lanes(beside.filter { graph.arrows[$0].to < graph.arrows[$0].from }, in: graph)
  }

  /// Assigns lanes: short arrows are inside, and no two arrows overlap in one lane.
  private static func lanes(_ arrows: [Int], in graph: RunGraph) -> [Lane] {
    func span(_ index: Int) -> ClosedRange<Int> {
      let arrow = graph.arrows[index]
      return min(arrow.from, arrow.to)...max(arrow.from, arrow.to)
    }
    var taken: [[ClosedRange<Int>]] = []
    return arrows.sorted { span($0).count < span($1).count }.map { index in
      let free = taken.firstIndex { !$0.contains { $0.overlaps(span(index)) } } ?? taken.count
      if free == taken.count { taken.append([]) }
      taken[free].append(span(index))
      return Lane(arrow: index, number: free)
    }
  }

  private static func count(_ lanes: [Lane]) -> Double {
    Double((lanes.map(\.number).max() ?? -1) + 1)
  }

  /// The labels of straight arrows are on the right.
  private var rightWidth: Double {
    max(Self.count(right) * laneWidth + 12, straight.isEmpty ? 0 : laneWidth - boxWidth / 2)
  }

  var boxLeft: Double { max(margin + Self.count(left) * laneWidth + 12, margin) }
  var boxRight: Double { boxLeft + boxWidth }
  var center: Double { boxLeft + boxWidth / 2 }
  var width: Double { boxRight + max(rightWidth, 0) + margin }
  var top: Double { margin + 28 }
  var height: Double {
    top + Double(graph.boxes.count) * (boxHeight + gap) - gap + margin
  }

  func boxTop(_ index: Int) -> Double { top + Double(index) * (boxHeight + gap) }
  func middle(_ index: Int) -> Double { boxTop(index) + boxHeight / 2 }
}
