import FieldstoneCore

/// For comparisons in tests; two failures are alike whatever their errors.
extension LoadPhase: Equatable where Value: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.idle, .idle): true
    case (.loading(let left), .loading(let right)): left == right
    case (.loaded(let left), .loaded(let right)): left == right
    case (.failed(_, let left), .failed(_, let right)): left == right
    default: false
    }
  }
}
