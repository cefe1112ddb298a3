public import Fieldstone

/// What goes wrong because somebody has switched it on.
public enum FaultError: DescribedError, Equatable {
  /// Nothing can be reached.
  case offline

  /// This machine has no network.
  case noNetwork

  /// The next page could not be loaded.
  case nextPage

  /// It was not saved.
  case save

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .offline: "The directory can’t be reached: “Offline” is switched on among the faults."
    case .noNetwork: "There is no network. Connect to one, and try again."
    case .nextPage: "This page was told to fail: switch it off among the faults."
    case .save: "Saving was told to fail: switch it off among the faults, and try again."
    }
  }
}
