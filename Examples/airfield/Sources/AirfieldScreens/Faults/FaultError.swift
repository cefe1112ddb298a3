public import Fieldstone

/// What goes wrong because somebody has switched it on.
public enum FaultError: DescribedError, Equatable {
  /// Nothing can be reached.
  case offline

  /// The next page could not be loaded.
  case nextPage

  /// It was not saved.
  case save

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .offline: "The directory can’t be reached: “Offline” is switched on among the faults."
    case .nextPage: "This page was told to fail: switch it off among the faults."
    case .save: "Saving was told to fail: switch it off among the faults, and try again."
    }
  }
}
