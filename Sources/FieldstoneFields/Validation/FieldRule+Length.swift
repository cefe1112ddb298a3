extension FieldRule where Value == String {
  /// So many characters as people count them: codes `tooShort`, `tooLong` and `wrongLength`.
  @inlinable
  public static func length(_ range: ClosedRange<Int>) -> FieldRule {
    length(range.lowerBound, range.upperBound)
  }

  /// At least so many characters: code `tooShort`.
  @inlinable
  public static func length(_ range: PartialRangeFrom<Int>) -> FieldRule {
    length(range.lowerBound, nil)
  }

  /// At most so many characters: code `tooLong`.
  @inlinable
  public static func length(_ range: PartialRangeThrough<Int>) -> FieldRule {
    length(nil, range.upperBound)
  }

  /// At least so many characters, and fewer than the upper bound.
  ///
  /// Codes `tooShort`, `tooLong` and `wrongLength`.
  public static func length(_ range: Range<Int>) -> FieldRule {
    length(range.lowerBound, saturatingPredecessor(range.upperBound))
  }

  /// Fewer characters than so many: code `tooLong`.
  public static func length(_ range: PartialRangeUpTo<Int>) -> FieldRule {
    length(nil, saturatingPredecessor(range.upperBound))
  }

  /// Exactly so many characters: code `wrongLength`.
  @inlinable
  public static func length(_ length: Int) -> FieldRule {
    self.length(length, length)
  }

  @usableFromInline
  static func length(_ minimum: Int?, _ maximum: Int?) -> FieldRule {
    let bounds = CountBounds(minimum: minimum, maximum: maximum, names: .characters)
    return FieldRule {
      { text in text.surelyHas(bounds) ? nil : bounds.issues(of: text.count) }
    }
  }
}

extension FieldRule where Value: Collection & Sendable {
  /// So many items: codes `tooFew`, `tooMany` and `wrongCount`.
  public static func count(_ range: ClosedRange<Int>) -> FieldRule {
    count(range.lowerBound, range.upperBound)
  }

  /// At least so many items: code `tooFew`.
  public static func count(_ range: PartialRangeFrom<Int>) -> FieldRule {
    count(range.lowerBound, nil)
  }

  /// At most so many items: code `tooMany`.
  public static func count(_ range: PartialRangeThrough<Int>) -> FieldRule {
    count(nil, range.upperBound)
  }

  /// At least so many items, and fewer than the upper bound.
  ///
  /// Codes `tooFew`, `tooMany` and `wrongCount`.
  public static func count(_ range: Range<Int>) -> FieldRule {
    count(range.lowerBound, saturatingPredecessor(range.upperBound))
  }

  /// Fewer items than so many: code `tooMany`.
  public static func count(_ range: PartialRangeUpTo<Int>) -> FieldRule {
    count(nil, saturatingPredecessor(range.upperBound))
  }

  /// Exactly so many items: code `wrongCount`.
  public static func count(_ count: Int) -> FieldRule {
    self.count(count, count)
  }

  private static func count(_ minimum: Int?, _ maximum: Int?) -> FieldRule {
    let bounds = CountBounds(minimum: minimum, maximum: maximum, names: .items)
    return FieldRule { { bounds.issues(of: $0.count) } }
  }
}

/// The number before, down to the least that there is.
private func saturatingPredecessor(_ number: Int) -> Int {
  number == .min ? .min : number - 1
}

/// How many there may be of something.
struct CountBounds: Sendable {
  /// What the issues are called.
  enum Names: Sendable {
    case characters, items
  }

  /// Nil where there is no such bound.
  let minimum: Int?
  let maximum: Int?
  let names: Names

  /// Nil for a count within the bounds.
  func issues(of count: Int) -> [FieldIssue]? {
    if count >= minimum ?? .min, count <= maximum ?? .max { return nil }
    return issues(ofWrong: count)
  }

  private func issues(ofWrong count: Int) -> [FieldIssue] {
    let isText = names == .characters
    if let minimum, minimum == maximum {
      return issue(isText ? "wrongLength" : "wrongCount", isText ? "length" : "count", minimum)
    }
    if let minimum, count < minimum {
      return issue(isText ? "tooShort" : "tooFew", "minimum", minimum)
    }
    return issue(isText ? "tooLong" : "tooMany", "maximum", maximum ?? .max)
  }

  private func issue(_ code: String, _ name: String, _ bound: Int) -> [FieldIssue] {
    [FieldIssue(code: code, message: nil, parameters: [name: "\(bound)"])]
  }
}
