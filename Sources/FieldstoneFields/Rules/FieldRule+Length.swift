extension FieldRule where Value == String {
  /// The number of characters (grapheme clusters) is in a range.
  ///
  /// Codes `tooShort`, `tooLong` and `wrongLength`. The range may be open on one side.
  ///
  /// One character can hold any number of Unicode scalars, such as accents. The scalars are bounded
  /// as well, where there is a maximum: code `tooManyScalars`.
  ///
  /// - Parameters:
  ///   - range: the allowed numbers of characters.
  ///   - scalars: the bound of the scalars; derived from the maximum by default.
  public static func length(
    _ range: some RangeExpression<Int>, scalars: FieldScalarLimit = .standard
  ) -> FieldRule {
    length(CountBounds(range, names: .characters), scalars)
  }

  /// Exactly so many characters: codes `wrongLength` and `tooManyScalars`.
  ///
  /// - Parameters:
  ///   - length: the allowed number of characters.
  ///   - scalars: the bound of the scalars; derived from the length by default.
  public static func length(
    _ length: Int, scalars: FieldScalarLimit = .standard
  ) -> FieldRule {
    self.length(CountBounds(minimum: length, maximum: length, names: .characters), scalars)
  }

  private static func length(_ bounds: CountBounds, _ scalars: FieldScalarLimit) -> FieldRule {
    let mostScalars = scalars.maximum(forCharacters: bounds.maximum)
    return FieldRule(named: "length") {
      { text in
        let hasFewScalars = text.hasScalars(atMost: mostScalars)
        if hasFewScalars, text.surelyHas(bounds) { return nil }
        if let issues = bounds.issues(of: text.count) { return issues }
        return hasFewScalars ? nil : .tooManyScalars(mostScalars ?? .max)
      }
    }
  }
}

/// The bound of the Unicode scalars of a text, beside the bound of its characters.
///
/// A text of one character can have a million scalars: a letter with as many accents. It passes a
/// bound of characters, and takes seconds to draw.
public enum FieldScalarLimit: Sendable, Hashable {
  /// Ten scalars for each allowed character, and 32 more; no bound where characters have none.
  ///
  /// Flags, families of emoji and Indic syllables have fewer than ten.
  case standard
  /// At most so many scalars.
  case atMost(Int)
  /// Any number of scalars.
  case unlimited

  /// Nil for no bound.
  func maximum(forCharacters maximum: Int?) -> Int? {
    switch self {
    case .atMost(let scalars): return scalars
    case .unlimited: return nil
    case .standard:
      guard let maximum else { return nil }
      let (product, overflows) = max(0, maximum).multipliedReportingOverflow(by: 10)
      return overflows || product > .max - 32 ? nil : product + 32
    }
  }
}

extension [FieldIssue] {
  fileprivate static func tooManyScalars(_ maximum: Int) -> [FieldIssue] {
    [FieldIssue(code: "tooManyScalars", message: nil, parameters: ["maximum": "\(maximum)"])]
  }
}

/// The preceding integer; `Int.min` stays.
func saturatingPredecessor(_ number: Int) -> Int {
  number == .min ? .min : number - 1
}

/// The allowed numbers of characters or items.
struct CountBounds: Sendable {
  /// The names of the issues.
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

extension String {
  /// Whether there is nothing but white space and characters without a visible form.
  var isBlank: Bool {
    // An ASCII byte decides by itself; beyond ASCII, whole characters are looked up.
    for byte in utf8 {
      if byte <= 0x20 || byte == 0x7F { continue }
      if byte < 0x80 { return false }
      return allSatisfy { $0.isWhitespace || $0.unicodeScalars.allSatisfy(\.isInvisible) }
    }
    return true
  }

  /// Whether the bytes alone prove that the number of characters is within bounds.
  func surelyHas(_ bounds: CountBounds) -> Bool {
    // There are no more characters than bytes.
    let bytes = utf8
    if let maximum = bounds.maximum, bytes.count > maximum { return false }
    guard let minimum = bounds.minimum, minimum > 0 else { return true }
    if bytes.count < minimum { return false }
    if minimum == 1 { return true }
    // Each ASCII byte begins a character, except the second one of a line break.
    var missing = minimum
    for byte in bytes {
      if byte >= 0x80 || byte == 0x0D { return false }
      missing -= 1
      if missing == 0 { return true }
    }
    return false
  }

  /// Whether there are at most so many Unicode scalars; always where the bound is nil.
  func hasScalars(atMost maximum: Int?) -> Bool {
    guard let maximum else { return true }
    // A scalar has one to four bytes.
    let bytes = utf8.count
    if bytes <= maximum { return true }
    return bytes / 4 <= maximum && unicodeScalars.count <= maximum
  }

  /// Whether both have the same scalars; `==` also accepts canonically equivalent texts.
  package func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Unicode.Scalar {
  /// Whether it is white space, a control character, or one that is ignored where text is drawn.
  fileprivate var isInvisible: Bool {
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
    return properties.generalCategory == .control || properties.generalCategory == .format
  }
}
