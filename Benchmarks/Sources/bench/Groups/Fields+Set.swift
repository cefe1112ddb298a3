import Fieldstone
import Harness
import OpenCombine

/// A value that is set, with so many observers, each of which captures an object of its own.
func set(_ count: Int, atMost bound: Double) -> Group {
  Group("set-\(count)", floor: "didSet, a Date and an array of closures") {
    Case("didSet, a Date and an array of closures") {
      BoxOfClosures(Tally.closures(count))
    } _: {
      $0.set()
    }
    Case("fieldstone Field", goals: [.atMost(bound)]) {
      ObservedField(Tally.all(count))
    } _: {
      $0.set()
    }
    Case("OpenCombine CurrentValueSubject, without a Date") {
      ValueSubject(Tally.closures(count))
    } _: {
      $0.set()
    }
  }
}

/// A value that is read, from one object after the other.
let get = Group("get", floor: "stored property") {
  Case("stored property", operations: readCount) {
    Shelf((0..<readCount).map { StampedBox($0) })
  } _: {
    blackHole($0.total { $0.value ?? 0 })
  }
  Case("fieldstone Field", operations: readCount, goals: [.atMost(2)]) {
    Shelf((0..<readCount).map { Field(value: $0) })
  } _: {
    blackHole($0.total { $0.value ?? 0 })
  }
  Case("OpenCombine CurrentValueSubject", operations: readCount) {
    Shelf((0..<readCount).map { CurrentValueSubject<Int?, Never>($0) })
  } _: {
    blackHole($0.total { $0.value ?? 0 })
  }
}

/// So many that they stay in the nearest cache.
private let readCount = 100

/// Two values that follow each other, set in turns.
let twoWay = Group("two-way", floor: "two didSet boxes that stamp the time") {
  Case("two didSet boxes that stamp the time") {
    BoxPair()
  } _: {
    $0.set()
  }
  Case("fieldstone a <--> b", goals: [.atMost(2.5)]) {
    FieldPair()
  } _: {
    $0.set()
  }
}

/// A value that reaches the last of so many, each of which follows the one before.
func chain(_ count: Int) -> Group {
  Group("chain-\(count)", floor: "didSet boxes that stamp the time") {
    Case("didSet boxes that stamp the time") {
      BoxChain(count)
    } _: {
      $0.set()
    }
    Case("fieldstone a --> b --> …", goals: [.atMost(1)]) {
      FieldChain(count)
    } _: {
      $0.set()
    }
    Case("OpenCombine subjects, without a Date") {
      SubjectChain(count)
    } _: {
      $0.set()
    }
  }
}
