import FieldstoneFields

/// For comparisons in tests; two failures are alike whatever their errors.
extension LoadState: Equatable where Value: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.notLoaded, .notLoaded): true
    case (.loading(let left), .loading(let right)): left == right
    case (.loaded(let left), .loaded(let right)): left == right
    case (.failed(_, let left), .failed(_, let right)): left == right
    default: false
    }
  }
}
