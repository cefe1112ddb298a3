import Foundation

/// A number in JSON that does not fit its property, with its place.
///
/// The decoder on Linux reports neither the place of such a number nor the cause, so this type
/// searches for it. It bisects: it decodes with the first numbers as they are and the others as 1,
/// which fits every type, until it has the first number that brings the error back. That number as a
/// string then makes the decoder name its place and its type. So it decodes about as often as the
/// count of numbers has binary digits, however many keys and properties there are.
struct UnfitNumber {
  let place: [any CodingKey]
  let type: any FixedWidthInteger.Type
  let number: NSNumber

  /// The largest number of searches; more than one is needed only if a model checks its numbers.
  private static let mostSearches = 4

  /// Finds the number; nil if the error has another cause, the decoder names no place, or the task
  /// is cancelled meanwhile.
  static func find(_ model: (some Decodable).Type, in data: Data, with decoder: JSONDecoder)
    -> Self?
  {
    guard let root = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return nil }
    var numbers: [NSNumber] = []
    _ = replacing(root) { number in
      numbers.append(number)
      return number
    }
    // Whole numbers are kept first, because a model may choose by them what it decodes, and because
    // most numbers that do not fit are not whole.
    let isWhole = numbers.map { fits($0, Int64.self) }
    var order = numbers.indices.filter { isWhole[$0] } + numbers.indices.filter { !isWhole[$0] }

    /// The error with the first numbers in order as they are, one as text, and the others as 1.
    func error(keeping count: Int, asText text: Int? = nil) -> DecodingError? {
      let kept = Set(order.prefix(count))
      var index = -1
      let value = replacing(root) { number in
        index += 1
        return kept.contains(index) ? number : index == text ? "\(number)" : 1
      }
      return Self.error(of: model, in: value, with: decoder)
    }

    if error(keeping: 0)?.isPlaceless == true { return nil }
    for _ in 0..<mostSearches {
      var (fitting, unfit) = (0, order.count)
      while unfit - fitting > 1 {
        if Task.isCancelled { return nil }
        let middle = (fitting + unfit) / 2
        if error(keeping: middle)?.isPlaceless == true { unfit = middle } else { fitting = middle }
      }
      guard fitting < order.count,
        case .typeMismatch(let type, let context)? = error(keeping: fitting, asText: order[fitting])
      else { return nil }
      let number = numbers[order[fitting]]
      if let type = type as? any FixedWidthInteger.Type, !fits(number, type) {
        return Self(place: context.codingPath, type: type, number: number)
      }
      // It fits, but the model rejects a 1 in its place before it comes to the one that does not.
      order.insert(order.remove(at: fitting), at: 0)
    }
    return nil
  }

  private static func error(
    of model: (some Decodable).Type, in value: Any, with decoder: JSONDecoder
  ) -> DecodingError? {
    do {
      let data = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
      _ = try decoder.decode(model, from: data)
      return nil
    } catch {
      return error as? DecodingError
    }
  }

  /// The value with each number replaced that may not fit, always in the same order.
  private static func replacing(_ value: Any, by replacement: (NSNumber) -> Any) -> Any {
    switch value {
    case var object as [String: Any]:
      for key in object.keys.sorted() {
        object[key] = object[key].map { replacing($0, by: replacement) }
      }
      return object
    case let array as [Any]:
      return array.map { replacing($0, by: replacement) }
    case let number as NSNumber:
      // Every integer type can hold these numbers.
      return fits(number, Int8.self) && fits(number, UInt8.self) ? value : replacement(number)
    default: return value
    }
  }

  private static func fits<Number: FixedWidthInteger>(
    _ number: NSNumber, _ type: Number.Type
  ) -> Bool {
    if let whole = Int64(exactly: number) { return Number(exactly: whole) != nil }
    if let whole = UInt64(exactly: number) { return Number(exactly: whole) != nil }
    return Number(exactly: number.doubleValue) != nil
  }
}

extension DecodingError {
  /// Whether it is the decoder's error about a number that does not fit.
  fileprivate var isPlaceless: Bool {
    if case .dataCorrupted(let context) = self { context.codingPath.isEmpty } else { false }
  }
}
