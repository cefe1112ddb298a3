import Foundation

/// A number in JSON that does not fit its property, with its place.
///
/// The decoder on Linux reports neither the place of such a number nor the cause, so this type
/// searches for it. It turns every number that may not fit into a string; the decoder's next error
/// then names the place of one. If that number fits, the fitting numbers of its property become
/// numbers again, and the search repeats until it finds one that does not fit. It decodes once for
/// each property with such numbers.
struct UnfitNumber {
  let place: [any CodingKey]
  let type: any FixedWidthInteger.Type
  let number: NSNumber

  /// Finds the number; nil if the error has another cause, or the decoder names no place.
  static func find(_ model: (some Decodable).Type, in data: Data, with decoder: JSONDecoder)
    -> Self?
  {
    guard let root = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return nil }
    var known: [String: any FixedWidthInteger.Type] = [:]
    var harmless: Set<String> = []
    while true {
      guard
        let (type, path) = mismatch(
          model, in: disguise(root, at: "", known: known, harmless: harmless), with: decoder),
        let number = value(at: path, in: root) as? NSNumber
      else { return nil }
      let property = name(path)
      if let type = type as? any FixedWidthInteger.Type {
        if !fits(number, type) { return Self(place: path, type: type, number: number) }
        guard known.updateValue(type, forKey: property) == nil else { return nil }
      } else {
        guard harmless.insert(property).inserted else { return nil }
      }
    }
  }

  /// The first type mismatch that the decoder reports.
  private static func mismatch(
    _ model: (some Decodable).Type, in value: Any, with decoder: JSONDecoder
  ) -> (Any.Type, [any CodingKey])? {
    do {
      let data = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
      _ = try decoder.decode(model, from: data)
      return nil
    } catch DecodingError.typeMismatch(let type, let context) {
      return (type, context.codingPath)
    } catch {
      return nil
    }
  }

  /// The value with all numbers that may not fit as strings.
  private static func disguise(
    _ value: Any, at property: String, known: [String: any FixedWidthInteger.Type],
    harmless: Set<String>
  ) -> Any {
    switch value {
    case let object as [String: Any]:
      return Dictionary(
        uniqueKeysWithValues: object.map { key, value in
          (key, disguise(value, at: "\(property).\(key)", known: known, harmless: harmless))
        })
    case let array as [Any]:
      return array.map { disguise($0, at: "\(property)[]", known: known, harmless: harmless) }
    case let number as NSNumber:
      // Every integer type can hold these numbers.
      if fits(number, Int8.self), fits(number, UInt8.self) { return value }
      if harmless.contains(property) { return value }
      if let type = known[property], fits(number, type) { return value }
      return "\(number)"
    default: return value
    }
  }

  private static func value(at path: [any CodingKey], in root: Any) -> Any? {
    path.reduce(root) { value, key in
      if let object = value as? [String: Any] { return object[key.stringValue] }
      guard let array = value as? [Any], let index = key.intValue, array.indices.contains(index)
      else { return nil }
      return array[index]
    }
  }

  private static func name(_ path: [any CodingKey]) -> String {
    path.map { $0.intValue == nil ? ".\($0.stringValue)" : "[]" }.joined()
  }

  private static func fits<Number: FixedWidthInteger>(
    _ number: NSNumber, _ type: Number.Type
  ) -> Bool {
    if let whole = Int64(exactly: number) { return Number(exactly: whole) != nil }
    if let whole = UInt64(exactly: number) { return Number(exactly: whole) != nil }
    return Number(exactly: number.doubleValue) != nil
  }
}
