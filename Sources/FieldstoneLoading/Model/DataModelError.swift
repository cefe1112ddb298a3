public import FieldstoneCore
import Foundation

/// An error in the JSON of a model, with its place.
///
/// The place is a path such as `items[3].name`; it is empty for the outermost value.
public enum DataModelError: DescribedError, RetryAdvisingError, Hashable {
  /// The data is not JSON; the detail is from the decoder.
  case notJSON(detail: String)
  /// The object at `place` has no `key`.
  case missing(key: String, expected: String, place: String)
  /// The value is null, but required.
  case null(expected: String, place: String)
  /// The value has another type than expected.
  case wrongType(expected: String, detail: String, place: String)
  /// The value has the right type, but the model rejects it.
  case unusable(detail: String, place: String)

  /// The error, its place in the JSON, and the remedy.
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
      "\(Self.name(place)) is of no use (\(detail)); have its sender correct it."
    }
  }

  /// The place of the error, such as `items[3].name`; empty for the outermost value.
  public var place: String {
    switch self {
    case .notJSON: ""
    case .missing(_, _, let place), .null(_, let place), .wrongType(_, _, let place),
      .unusable(_, let place):
      place
    }
  }

  /// False: another attempt would meet the same data.
  public var isWorthRetrying: Bool { false }

  private static func name(_ place: String) -> String {
    place.isEmpty ? "The outermost value" : place
  }
}

extension DataModelError {
  /// Describes a decoder's error about the data of a model.
  init(
    _ error: DecodingError, of model: (some Decodable).Type, in data: Data,
    with decoder: JSONDecoder
  ) {
    switch error {
    case .keyNotFound(let key, let context):
      self = .missing(
        key: key.stringValue, expected: "a value", place: Self.place(context.codingPath))
    case .valueNotFound(let type, let context):
      self = .null(expected: Self.words(for: type), place: Self.place(context.codingPath))
    case .typeMismatch(let type, let context):
      self = .wrongType(
        expected: Self.words(for: type), detail: context.debugDescription,
        place: Self.place(context.codingPath))
    case .dataCorrupted(let context):
      if !context.codingPath.isEmpty {
        self = .unusable(
          detail: context.debugDescription, place: Self.place(context.codingPath))
      } else if !Self.isJSON(data) {
        self = .notJSON(detail: context.debugDescription)
      } else if let found = UnfitNumber.find(model, in: data, with: decoder) {
        self = .wrongType(
          expected: "a whole number that fits \(found.type)", detail: "it is \(found.number)",
          place: Self.place(found.place))
      } else {
        self = .unusable(detail: context.debugDescription, place: "")
      }
    @unknown default:
      self = .unusable(detail: "\(error)", place: "")
    }
  }

  private static func isJSON(_ data: Data) -> Bool {
    (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
  }

  private static func place(_ path: [any CodingKey]) -> String {
    var place = ""
    for key in path {
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return place
  }

  private static func words(for type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Date.Type: "a date"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [String: Any].Type, is [String: any Sendable].Type: "an object"
    case is [Any].Type: "an array"
    default: "a value of type \(type)"
    }
  }
}
