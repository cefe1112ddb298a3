import Fieldstone
import Harness

/// A whole array that takes the place of another one, a million items each where it has any.
let arrayAssign = Group("array-assign", floor: "a dictionary of as many") {
  Case("a dictionary of as many", operations: itemCount, runs: 1) {
    blackHole(Dictionary(uniqueKeysWithValues: zip(items, items)))
  }
  assign("from empty to full", [], items)
  assign("from full to empty", items, [])
  assign("all replaced", items, Array(itemCount..<2 * itemCount))
  assign("turned round", items, items.reversed())
  assign("one inserted", items, items[..<(itemCount / 2)] + [-1] + items[(itemCount / 2)...])
  assign("one inserted at each end", items, [-1] + items + [-2])
  assign("two values in turns, moved by one", items.map { $0 % 2 }, items.map { ($0 + 1) % 2 })
}

private let itemCount = 1_000_000
private let items = Array(0..<itemCount)

private func assign(_ name: String, _ old: [Int], _ new: [Int]) -> Case {
  Case("fieldstone, \(name)", operations: itemCount, runs: 1, goals: [.atMost(3)]) {
    ArrayField(Field<Int>("Number"), value: old)
  } _: {
    $0.value = new
  }
}
