public import Fieldstone

/// Why an airport was not saved.
public enum AirportSaveError: DescribedError, Equatable {
  /// Somebody else has saved it since it was read.
  case conflict(AirportRecord)

  /// It is not there any more.
  case gone(icao: String)

  /// Another airport has this code.
  case codeTaken(icao: String)

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .conflict(let record):
      "somebody else has saved \(record.airport.icao) meanwhile; keep your edits or take theirs"
    case .gone(let icao): "somebody has deleted \(icao); undo that on its page, and save again"
    case .codeTaken(let icao): "another airport has the code \(icao); choose another one"
    }
  }
}
