public import Fieldstone

/// What keeps the nightly export from being set up or started.
public enum NightlyError: DescribedError, Equatable {
  /// This is no time of the day.
  case badTime(String)

  /// No time zone has this identifier.
  case badZone(String)

  /// So many files can't be kept.
  case badCount(Int)

  /// An export is under way.
  case busy

  /// No nightly export is set up.
  case notSet

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .badTime(let text):
      "“\(text)” is no time of the day; give hours and minutes, such as 02:30"
    case .badZone(let text):
      "there is no time zone “\(text)”; give an identifier such as Europe/Berlin or UTC"
    case .badCount(let count): "\(count) files can’t be kept; give a number from 1"
    case .busy: "An export is under way. Wait until it has ended, or cancel it."
    case .notSet: "No nightly export is set up. Start the server with --nightly-export FOLDER."
    }
  }
}
