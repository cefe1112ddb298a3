/// What an observer captures: the cheapest thing that can still be told from nothing.
///
/// Only ever used by the one task that measures; `Sendable` for those peers that ask for it.
final class Tally: Sendable {
  nonisolated(unsafe) private var sum = 0

  func add(_ value: Int) { sum &+= value }

  static func all(_ count: Int) -> [Tally] { (0..<count).map { _ in Tally() } }

  /// Closures that each capture a tally of their own.
  static func closures(_ count: Int) -> [(Int) -> Void] { all(count).map { $0.closure() } }

  /// Closures that each capture their owner weakly.
  static func weakClosures(_ owners: [Tally]) -> [(Int) -> Void] {
    owners.map { owner in { [weak owner] value in owner?.add(value) } }
  }

  @inline(never)
  func closure() -> (Int) -> Void { { self.add($0) } }
}

/// A list whose observers hold their owners weakly, with the owners that keep them going.
struct Owned<List> {
  let list: List
  private let owners: [Tally]

  init(_ list: List, owners: [Tally]) {
    self.list = list
    self.owners = owners
  }
}
