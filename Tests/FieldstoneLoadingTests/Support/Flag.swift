import Synchronization

/// Something that happens once.
final class Flag: Sendable {
  private let isSet = Atomic(false)

  /// True for the one who set it.
  func set() -> Bool { !isSet.exchange(true, ordering: .acquiringAndReleasing) }
}
