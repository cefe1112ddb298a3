import FieldstoneCore
import Foundation

extension DataModelError {
  /// Says in words what a decoder found wrong with the data of a model.
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
