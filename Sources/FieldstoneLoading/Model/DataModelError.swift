public import FieldstoneCore

/// What is wrong with the JSON of a model, and where.
///
/// The place is written as one would say it: `items[3].name`; it is empty for the outermost value.
public enum DataModelError: DescribedError, RetryAdvisingError, Hashable {
  /// The data is no JSON; the detail is the decoder's.
  case notJSON(detail: String)
  /// The object at `place` has no `key`.
  case missing(key: String, expected: String, place: String)
  /// There is null where a value is needed.
  case null(expected: String, place: String)
  /// The value is of another type than expected.
  case wrongType(expected: String, detail: String, place: String)
  /// The value is of the right type, and the model can do nothing with it.
  case unusable(detail: String, place: String)

  /// What is wrong, where, and what to do about it.
  public var message: String {
    switch self {
    case .notJSON(let detail):
      "This is not JSON (\(detail)); check that it is the right address and that all of the data "
        + "has arrived, in UTF-8."
    case .missing(let key, let expected, let place):
      "\(Self.name(place)) has no \(key), where \(expected) was expected; have it sent, or make "
        + "that property optional."
    case .null(let expected, let place):
      "\(Self.name(place)) is null, where \(expected) was expected; have it sent, or make that "
        + "property optional."
    case .wrongType(let expected, let detail, let place):
      "\(Self.name(place)) is not \(expected) (\(detail)); have it sent as such, or change the "
        + "property's type."
    case .unusable(let detail, let place):
      "\(Self.name(place)) is of no use (\(detail)); have it corrected by whoever sent it."
    }
  }

  /// Where it is wrong, such as `items[3].name`; empty for the outermost value.
  public var place: String {
    switch self {
    case .notJSON: ""
    case .missing(_, _, let place), .null(_, let place), .wrongType(_, _, let place),
      .unusable(_, let place):
      place
    }
  }

  /// No: the same data would be wrong again.
  public var isWorthRetrying: Bool { false }

  private static func name(_ place: String) -> String {
    place.isEmpty ? "The outermost value" : place
  }
}
