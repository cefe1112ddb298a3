import FieldstoneDurable
import Foundation

extension RunGraph {
  /// The graph as SVG, for light and dark backgrounds.
  package var svg: String {
    let layout = GraphLayout(self)
    let titleWidth =
      isOfFlow ? 0 : Double(title.count) * GraphLayout.boldWidth + 2 * layout.margin
    let width = Self.number(max(layout.width, titleWidth))
    let height = Self.number(layout.height)
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title words"\
      \(isOfFlow ? " class=\"flow\"" : "")>
      """,
      "<title id=\"title\">\(Self.escaped(title))</title>",
      "<desc id=\"words\">\(Self.escaped(words))</desc>", Self.style,
      "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>",
    ]
    if !isOfFlow {
      lines.append(
        """
        <text class="title" x="\(Self.number(layout.margin))" y="\(Self.number(layout.margin + 8))">\
        \(Self.escaped(title))</text>
        """)
    }
    let drawn =
      straightArrows(layout) + layout.right.map { ($0.arrow, lane($0, layout, side: 1)) }
      + layout.left.map { ($0.arrow, lane($0, layout, side: -1)) }
    // The run's own path lies over the others.
    lines += drawn.filter { arrows[$0.arrow].isQuiet }.map(\.text)
    lines += drawn.filter { !arrows[$0.arrow].isQuiet }.map(\.text)
    lines += boxes.indices.map { box($0, layout) }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  private func box(_ index: Int, _ layout: GraphLayout) -> String {
    let box = boxes[index]
    let top = layout.boxTop(index)
    let detail = box.detail
    let hint = box.error.map { "<title>\(Self.escaped($0.inOneLine))</title>" } ?? ""
    let state = box.state.map { isOfFlow ? "current \($0.rawValue)" : $0.rawValue } ?? ""
    let mark = box.isQuiet ? "quiet" : state
    let ring = box.state != nil && isOfFlow ? self.ring(index, layout) : ""
    var text = """
      <g class="box \(mark)">\(hint)\
      \(ring)<rect x="\(Self.number(layout.boxLeft))" y="\(Self.number(top))" \
      width="\(Self.number(layout.boxWidth))" height="\(Self.number(layout.boxHeight))" \
      rx="\(box.node == .completion ? 23 : 8)"/>\
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

  /// The outline of the run's current stage.
  private func ring(_ index: Int, _ layout: GraphLayout) -> String {
    """
    <rect class="ring" x="\(Self.number(layout.boxLeft - 5))" \
    y="\(Self.number(layout.boxTop(index) - 5))" width="\(Self.number(layout.boxWidth + 10))" \
    height="\(Self.number(layout.boxHeight + 10))" rx="\(boxes[index].state == .completed ? 28 : 13)"/>
    """
  }

  private func straightArrows(_ layout: GraphLayout) -> [(arrow: Int, text: String)] {
    var places: [Int: Int] = [:]
    return layout.straight.map { index in
      let arrow = arrows[index]
      // A stage that was left by work and by an edit has two arrows.
      let place = places[arrow.from, default: 0]
      places[arrow.from] = place + 1
      let x = layout.center - Double(place) * layout.boxWidth / 3
      let begin = layout.boxTop(arrow.from) + layout.boxHeight + layout.ring(arrow.from)
      let end = layout.boxTop(arrow.to) - 1 - layout.ring(arrow.to)
      let path = "M\(Self.number(x)) \(Self.number(begin))V\(Self.number(end - 7))"
      let label = place == 0 ? (x + 8, "start") : (x - 8, "end")
      return (
        index,
        draw(arrow, path, head: (x, end, 0, 1), label: (label.0, (begin + end) / 2 + 4), label.1)
      )
    }
  }

  private func lane(_ lane: GraphLayout.Lane, _ layout: GraphLayout, side: Double) -> String {
    let arrow = arrows[lane.arrow]
    let edge = side > 0 ? layout.boxRight : layout.boxLeft
    let x = edge + side * (layout.lead + layout.distance(of: lane, side: side))
    let target = edge + side * layout.ring(arrow.to)
    let shift = min(8 + Double(lane.number) * 6, 20)
    let isLoop = arrow.from == arrow.to
    // Arrows start and end at different heights, so that they can be distinguished.
    let direction: Double = arrow.to < arrow.from ? -1 : 1
    let begin = layout.middle(arrow.from) + (isLoop ? -shift : direction * shift)
    let end = layout.middle(arrow.to) + (isLoop ? shift : -direction * shift)
    let turn = end > begin ? 6.0 : -6.0
    let path = [
      "M\(Self.number(edge + side * layout.ring(arrow.from))) \(Self.number(begin))",
      "H\(Self.number(x - side * 6))",
      "Q\(Self.number(x)) \(Self.number(begin)) \(Self.number(x)) \(Self.number(begin + turn))",
      "V\(Self.number(end - turn))",
      "Q\(Self.number(x)) \(Self.number(end)) \(Self.number(x - side * 6)) \(Self.number(end))",
      "H\(Self.number(target + side * 8))",
    ].joined()
    return draw(
      arrow, path, head: (target + side, end, -side, 0),
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
    let shape = """
      <g class="arrow \(arrow.kind.rawValue)\(arrow.isQuiet ? " quiet" : "")">\
      <path d="\(path)"/><polygon points="\(points)"/>
      """
    if arrow.label.isEmpty { return shape + "</g>" }
    return shape + """
      <text x="\(Self.number(label.x))" y="\(Self.number(label.y))" text-anchor="\(anchor)">\
      \(Self.escaped(arrow.label))</text></g>
      """
  }

  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\t", "\n", "\r": nil
      // XML has none of these, not even escaped.
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: nil
      }
    }
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
    .arrow text{paint-order:stroke;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round}
    .flow .arrow path{stroke:#0066cc;stroke-width:2.5}.flow .arrow polygon{fill:#0066cc}
    .flow .box:not(.current) rect{fill:#eaf3ff;stroke:#0066cc;stroke-width:1.5}
    .flow .box.quiet rect{fill:none;stroke:#8e8e93;stroke-width:1}
    .flow .quiet .name{fill:#636366;font-weight:400}
    .flow .arrow.quiet path{stroke:#8e8e93;stroke-width:1.25}.flow .arrow.quiet polygon{fill:#8e8e93}
    .flow .current rect{stroke-width:3}.flow .ready rect{fill:#eaf3ff;stroke:#0066cc}
    .flow .current .ring{fill:none;stroke-width:1.5;stroke-dasharray:none;opacity:.6}
    @media (prefers-color-scheme:dark){
    text{fill:#f5f5f7}.detail,.arrow text{fill:#c7c7cc}.ground{fill:#1c1c1e}
    .box rect{fill:#2c2c2e;stroke:#8e8e93}.arrow path{stroke:#aeaeb2}.arrow polygon{fill:#aeaeb2}
    .completed rect{fill:#12351c;stroke:#30d158}.running rect{fill:#0a2a4d;stroke:#409cff}
    .ready rect{stroke:#c7c7cc}.dead rect{fill:#4a0e12;stroke:#ff6961}
    .blocked rect{fill:#423000;stroke:#ffb340}.cancelled rect{stroke:#c7c7cc}
    .arrow text{stroke:#1c1c1e}
    .flow .arrow path{stroke:#5aa9ff}.flow .arrow polygon{fill:#5aa9ff}
    .flow .box:not(.current) rect{fill:#14263c;stroke:#5aa9ff}
    .flow .box.quiet rect{fill:none;stroke:#8e8e93}.flow .quiet .name{fill:#aeaeb2}
    .flow .ready rect{fill:#14263c;stroke:#5aa9ff}
    .flow .arrow.quiet path{stroke:#8e8e93}.flow .arrow.quiet polygon{fill:#8e8e93}
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
  /// The maximum average width of a letter in a name.
  static let boldWidth = 9.4
  /// Straight arrows to the next box.
  private(set) var straight: [Int] = []
  /// Arrows that skip a box, or return to the same one.
  private(set) var right: [Lane] = []
  /// Arrows back.
  private(set) var left: [Lane] = []
  /// The widths of the lanes, from the boxes outwards; their labels are in them.
  private var rightWidths: [Double] = []
  private var leftWidths: [Double] = []

  init(_ graph: RunGraph) {
    self.graph = graph
    // Uses the letter widths of the widest font, because text can't be measured here.
    let widths = graph.boxes.flatMap {
      [Double($0.name.count) * Self.boldWidth, Double($0.detail.count) * 7]
    }
    boxWidth = max(widths.max() ?? 0, 120).rounded() + 32
    for (index, arrow) in graph.arrows.enumerated() where arrow.to == arrow.from + 1 {
      straight.append(index)
    }
    let beside = graph.arrows.indices.filter { graph.arrows[$0].to != graph.arrows[$0].from + 1 }
    right = Self.lanes(beside.filter { graph.arrows[$0].to >= graph.arrows[$0].from }, in: graph)
    left = Self.lanes(beside.filter { graph.arrows[$0].to < graph.arrows[$0].from }, in: graph)
    (rightWidths, leftWidths) = (laneWidths(right), laneWidths(left))
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

  private func laneWidths(_ lanes: [Lane]) -> [Double] {
    var widths: [Double] = []
    for lane in lanes {
      while widths.count <= lane.number { widths.append(0) }
      widths[lane.number] = max(widths[lane.number], width(ofLabel: lane.arrow))
    }
    return widths
  }

  private func width(ofLabel arrow: Int) -> Double {
    let label = graph.arrows[arrow].label
    return label.isEmpty ? 14 : Double(label.count) * 6.6 + 22
  }

  /// The distance of a lane from the first one.
  func distance(of lane: Lane, side: Double) -> Double {
    (side > 0 ? rightWidths : leftWidths).prefix(lane.number).reduce(0, +)
  }

  /// The distance of the first lane from the boxes.
  var lead: Double { graph.isOfFlow ? 20 : 14 }

  /// The distance of the outline around a box, at which arrows end; 0 for a box without one.
  func ring(_ index: Int) -> Double {
    graph.isOfFlow && graph.boxes[index].state != nil ? 6 : 0
  }

  /// The labels of straight arrows are on the right.
  private var rightWidth: Double {
    let label = straight.map(width(ofLabel:)).max()
    return max(rightWidths.reduce(lead - 2, +), label.map { $0 - boxWidth / 2 } ?? 0)
  }

  var boxLeft: Double { margin + leftWidths.reduce(left.isEmpty ? 0 : lead - 2, +) }
  var boxRight: Double { boxLeft + boxWidth }
  var center: Double { boxLeft + boxWidth / 2 }
  var width: Double { boxRight + max(rightWidth, 0) + margin }
  var top: Double { margin + (graph.isOfFlow ? 0 : 28) }
  var height: Double {
    top + Double(graph.boxes.count) * (boxHeight + gap) - gap + margin
  }

  func boxTop(_ index: Int) -> Double { top + Double(index) * (boxHeight + gap) }
  func middle(_ index: Int) -> Double { boxTop(index) + boxHeight / 2 }
}
