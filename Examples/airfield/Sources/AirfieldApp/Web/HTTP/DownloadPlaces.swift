import Synchronization

/// Counts the files that are read while they are sent.
final class DownloadPlaces: Sendable {
  private let limit: Int
  private let taken = Mutex(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// A place, free again once nobody has it; nil where there are too many.
  func take() -> Place? {
    let isFree = taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
    return isFree ? Place(self) : nil
  }

  final class Place: Sendable {
    private let places: DownloadPlaces

    fileprivate init(_ places: DownloadPlaces) {
      self.places = places
    }

    deinit {
      places.taken.withLock { $0 -= 1 }
    }
  }
}
