import Foundation

/// Where the boxes and arrows of a picture are: boxes under each other in the order in which the
/// run came to them, arrows to the next one straight, others in lanes beside them.
struct GraphLayout {
  /// An arrow that goes beside the boxes.
  struct Lane {
    var arrow: Int
    /// Its number from the boxes outwards.
    var number: Int
  }

  let graph: RunGraph
  let boxWidth: Double
  let boxHeight = 46.0
  let gap = 56.0
  let margin = 24.0
  let laneWidth: Double
  /// How wide a letter of a name is, at most on the average.
  static let boldWidth = 9.4
  /// Straight to the next box.
  private(set) var straight: [Int] = []
  /// Onwards past a box, or back to the same one.
  private(set) var right: [Lane] = []
  /// Back.
  private(set) var left: [Lane] = []

  init(_ graph: RunGraph) {
    self.graph = graph
    // As wide as letters are in the widest of the fonts: nothing measures them here.
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

  /// Short arrows inside, and no two that overlap in one lane.
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

  /// Straight arrows have their labels on the right.
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
