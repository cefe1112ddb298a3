import Foundation

/// What one would write by hand: a value that stamps the time when it is set and hands it on.
final class StampedBox {
  private(set) var updatedAt: Date?
  var next: StampedBox?

  var value: Int? {
    didSet {
      updatedAt = Date()
      if let next, next.value != value { next.value = value }
    }
  }

  init(_ value: Int? = nil) { self.value = value }
}

/// The same with observers in place of the next box.
final class BoxOfClosures {
  private(set) var updatedAt: Date?
  private let closures: [(Int) -> Void]
  private var round = 0

  private var value = 0 {
    didSet {
      updatedAt = Date()
      for closure in closures { closure(value) }
    }
  }

  init(_ closures: [(Int) -> Void]) { self.closures = closures }

  @inline(never)
  func set() {
    round &+= 1
    value = round
  }
}

/// Two boxes that hand on to each other.
final class BoxPair {
  private let left = StampedBox()
  private let right = StampedBox()
  private var round = 0

  init() {
    left.next = right
    right.next = left
  }

  deinit { left.next = nil }

  @inline(never)
  func set() {
    round &+= 1
    if round.isMultiple(of: 2) { left.value = round } else { right.value = round }
  }
}

/// Boxes each of which hands on to the next.
final class BoxChain {
  private let boxes: [StampedBox]
  private var round = 0

  init(_ count: Int) {
    boxes = (0..<count).map { _ in StampedBox() }
    for (box, next) in zip(boxes, boxes.dropFirst()) { box.next = next }
  }

  @inline(never)
  func set() {
    round &+= 1
    boxes[0].value = round
  }
}
