import FieldstoneDurable
import Foundation

/// A comparison of decoded values, as the JSON of equal values can differ: a `Set` has no order.
enum DecodedValues {
  /// Whether two values are equal; false for a type that is not `Equatable`.
  static func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    func isEqual<Known: Equatable>(_ left: Known) -> Bool { right as? Known == left }
    return (left as? any Equatable).map { isEqual($0) } ?? false
  }

  /// Compares JSON of a type.
  static func comparison<Value: Decodable & Sendable>(
    of type: Value.Type
  ) -> @Sendable (Data, Data) -> Bool {
    { left, right in
      if left == right { return true }
      guard let left = try? StageJSON.value(Value.self, from: left),
        let right = try? StageJSON.value(Value.self, from: right)
      else { return false }
      return areEqual(left, right)
    }
  }
}
