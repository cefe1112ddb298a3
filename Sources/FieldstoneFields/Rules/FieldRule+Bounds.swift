import Foundation

extension FieldRule {
  /// The value is known and not nil: code `required`.
  @inlinable
  public static var notNil: FieldRule {
    FieldRule(onlyAboutNil: false)
  }
}

extension FieldRule where Value: Comparable & Sendable {
  /// At least a minimum and at most a maximum: codes `tooSmall` and `tooLarge`.
  ///
  /// A value without an order, such as a NaN, is too small.
  @inlinable
  public static func range(_ range: ClosedRange<Value>) -> FieldRule {
    let (minimum, maximum) = (range.lowerBound, range.upperBound)
    return FieldRule(named: "range") {
      {
        $0 >= minimum && $0 <= maximum
          ? nil : $0 > maximum ? .tooLarge(maximum) : .tooSmall(minimum)
      }
    }
  }

  /// At least a minimum, and less than a limit: codes `tooSmall` and `notLess`.
  @inlinable
  public static func range(_ range: Range<Value>) -> FieldRule {
    let (minimum, limit) = (range.lowerBound, range.upperBound)
    return FieldRule(named: "range") {
      { value in
        if value >= minimum && value < limit { return nil }
        return value >= limit ? .notLess(limit) : .tooSmall(minimum)
      }
    }
  }

  /// At least a minimum: code `tooSmall`.
  @inlinable
  public static func range(_ range: PartialRangeFrom<Value>) -> FieldRule {
    atLeast(range.lowerBound)
  }

  /// At most a maximum: code `tooLarge`.
  @inlinable
  public static func range(_ range: PartialRangeThrough<Value>) -> FieldRule {
    atMost(range.upperBound)
  }

  /// Less than a limit: code `notLess`.
  @inlinable
  public static func range(_ range: PartialRangeUpTo<Value>) -> FieldRule {
    lessThan(range.upperBound)
  }

  /// At least a minimum: code `tooSmall`.
  @inlinable
  public static func atLeast(_ minimum: Value) -> FieldRule {
    FieldRule(named: "atLeast") { { $0 >= minimum ? nil : .tooSmall(minimum) } }
  }

  /// At most a maximum: code `tooLarge`.
  @inlinable
  public static func atMost(_ maximum: Value) -> FieldRule {
    FieldRule(named: "atMost") { { $0 <= maximum ? nil : .tooLarge(maximum) } }
  }

  /// Greater than a limit: code `notGreater`.
  @inlinable
  public static func greaterThan(_ limit: Value) -> FieldRule {
    FieldRule(named: "greaterThan") { { $0 > limit ? nil : .notGreater(limit) } }
  }

  /// Less than a limit: code `notLess`.
  @inlinable
  public static func lessThan(_ limit: Value) -> FieldRule {
    FieldRule(named: "lessThan") { { $0 < limit ? nil : .notLess(limit) } }
  }
}

extension FieldRule where Value: Hashable & Sendable {
  /// One of some values: code `notAllowed`, with the first twenty as the parameter `allowed`.
  @inlinable
  public static func oneOf(_ values: some Sequence<Value>) -> FieldRule {
    let listed = Array(values)
    let known = Set(listed)
    return FieldRule(named: "oneOf") {
      { known.contains($0) ? nil : .notAllowed(listed) }
    }
  }

  /// One of some values: code `notAllowed`, with the first twenty as the parameter `allowed`.
  @inlinable
  public static func oneOf(_ values: Value...) -> FieldRule {
    oneOf(values)
  }
}

/// The issues of rules; out of line, as the fast path is a value that passes.
extension [FieldIssue] {
  @usableFromInline
  static func failure(_ issue: FieldIssue) -> [FieldIssue] { [issue] }

  @usableFromInline
  static func failure(_ error: any Error) -> [FieldIssue] { [.couldNotValidate(error)] }

  @usableFromInline
  static func tooSmall<Value>(_ minimum: Value) -> [FieldIssue] {
    [FieldIssue(code: "tooSmall", message: nil, parameters: ["minimum": plain(minimum)])]
  }

  @usableFromInline
  static func tooLarge<Value>(_ maximum: Value) -> [FieldIssue] {
    [FieldIssue(code: "tooLarge", message: nil, parameters: ["maximum": plain(maximum)])]
  }

  @usableFromInline
  static func notGreater<Value>(_ limit: Value) -> [FieldIssue] {
    [FieldIssue(code: "notGreater", message: nil, parameters: ["limit": plain(limit)])]
  }

  @usableFromInline
  static func notLess<Value>(_ limit: Value) -> [FieldIssue] {
    [FieldIssue(code: "notLess", message: nil, parameters: ["limit": plain(limit)])]
  }

  @usableFromInline
  static func notAllowed<Value>(_ values: [Value]) -> [FieldIssue] {
    // Twenty show what is meant; hundreds would hide it.
    let more = values.count > 20 ? ", …" : ""
    let allowed = values.prefix(20).map { plain($0) }.joined(separator: ", ") + more
    return [FieldIssue(code: "notAllowed", message: nil, parameters: ["allowed": allowed])]
  }

  /// Describes a value: a case by its raw value, as it is typed, a date by ISO 8601, and a whole
  /// floating-point number without its fraction.
  private static func plain<Value>(_ value: Value) -> String {
    if let date = value as? Date { return ISO8601.text(date) ?? "\(date)" }
    if let value = value as? any RawRepresentable { return "\(value.rawValue)" }
    let text = "\(value)"
    let isWhole = value is any BinaryFloatingPoint && text.hasSuffix(".0")
    return isWhole ? String(text.dropLast(2)) : text
  }
}
