import FieldstoneFields
public import Foundation

extension FieldTextFormat where Value: BinaryFloatingPoint & LosslessStringConvertible & Sendable {
  /// A number as a language writes it; spaces around it are ignored, and a text without digits is
  /// nil.
  ///
  /// Numbers are displayed in ASCII digits without marks between thousands. The format reads that, and
  /// the decimal digits of all scripts.
  /// It also reads groups of thousands, and the decimal mark of other languages, wherever the text
  /// has one meaning only: `1,234.5`, `1.234,5`, `1 234 567`, `48,1` and `١٢٫٥`.
  ///
  /// A single comma or point before three digits has two meanings, unless it is one of the format's
  /// own marks. `1,234` is then refused with the code `ambiguousNumber`. Its parameters `fraction`
  /// and `thousands` are both readings as the format displays them.
  ///
  /// ```swift
  /// let price = Field<Double>("Price").text(as: .decimal(separator: ",", grouping: "."))
  /// ```
  ///
  /// - Parameters:
  ///   - separator: the mark between the whole part and the fraction.
  ///   - grouping: the mark between thousands. With nil, a lone mark that may be one is ambiguous.
  public static func decimal(
    separator: Character = ".", grouping: Character? = nil
  ) -> FieldTextFormat {
    let marks = NumberMarks(separator: separator, grouping: grouping)
    var format = FieldTextFormat(kind: .decimal) { text in
      let digits = text.withPlainDigits.trimmingCharacters(in: .whitespaces)
      if digits.isEmpty { return nil }
      switch marks.reading(of: digits) {
      case .number(let plain)?:
        if let number = Value(plain), number.isFinite { return number }
      case .ambiguous(let fraction, let thousands)?:
        throw FieldIssue.ambiguousNumber(
          fraction: marks.text(of: fraction), thousands: marks.text(of: thousands))
      case nil: break
      }
      throw FieldIssue.notANumber(code: "notANumber", example: "12\(separator)5")
    } print: { number in
      var text = "\(number)"
      if text.hasSuffix(".0") { text.removeLast(2) }
      return marks.text(of: text)
    }
    format.hasCommas = marks.separator == ","
    return format
  }

  /// A number with the marks of a locale; see ``decimal(separator:grouping:)``.
  ///
  /// - Parameter locale: the locale of the user's writing, such as `.current`.
  public static func decimal(locale: Locale) -> FieldTextFormat {
    decimal(
      separator: locale.decimalSeparator?.first ?? ".", grouping: locale.groupingSeparator?.first)
  }
}

/// The marks in numbers of a language.
struct NumberMarks: Sendable {
  /// The characters of numbers in all languages.
  static let characters = FieldCharacters { character in
    WholeNumber.characters.contains(character) || "eE".contains(character)
      || marks.contains(plain(character))
  }

  /// The meaning of a text.
  enum Reading: Hashable {
    /// One number, with a point and without other marks.
    case number(String)
    /// Either a fraction, or thousands.
    case ambiguous(fraction: String, thousands: String)
  }

  let separator: Character
  let grouping: Character?

  init(separator: Character, grouping: Character?) {
    self.separator = Self.plain(separator)
    self.grouping = grouping.map(Self.plain)
  }

  /// The number with this language's separator.
  func text(of number: String) -> String {
    separator == "." ? number : number.replacing(".", with: String(separator))
  }

  /// The meaning of a text; nil if it is not a number.
  func reading(of text: String) -> Reading? {
    let sign = text.prefix { "+-".contains($0) }
    let unsigned = text.dropFirst(sign.count)
    let digits = unsigned.prefix { !"eE".contains($0) }
    let exponent = unsigned.dropFirst(digits.count)
    guard sign.count <= 1, exponent.dropFirst().allSatisfy(Self.isOfExponent) else { return nil }

    // The groups of digits, and the marks between them.
    var (groups, marks) = ([""], [Character]())
    for character in digits {
      if character.isASCII, character.isNumber {
        groups[groups.count - 1].append(character)
      } else {
        let mark = Self.plain(character)
        guard mark == separator || mark == grouping || Self.marks.contains(mark) else {
          return nil
        }
        marks.append(mark)
        groups.append("")
      }
    }
    func number(_ whole: [String], _ fraction: String = "") -> String {
      "\(sign)\(whole.joined())\(fraction.isEmpty ? "" : ".")\(fraction)\(exponent)"
    }

    guard let last = marks.last else { return .number(number(groups)) }
    let others = marks.dropLast()
    // The decimal mark of Arabic numbers never stands between thousands.
    if others.contains(Self.arabicDecimal) { return nil }
    let areThousands = Set(marks).count == 1 && Self.areThousands(groups)
    let fraction = groups[groups.count - 1]
    let whole = groups.dropLast()
    if let other = others.first {
      if areThousands { return .number(number(groups)) }
      // Thousands, and the fraction after another mark.
      let isFraction = other != last && Set(others).count == 1 && isDecimal(last)
      guard isFraction, Self.areThousands(Array(whole)) else { return nil }
      return .number(number(Array(whole), fraction))
    }
    let asFraction = number(Array(whole), fraction)
    if last == separator || last == Self.arabicDecimal { return .number(asFraction) }
    if areThousands, last == grouping || !isDecimal(last) { return .number(number(groups)) }
    guard isDecimal(last) else { return nil }
    guard areThousands else { return .number(asFraction) }
    return .ambiguous(fraction: asFraction, thousands: number(groups))
  }

  private func isDecimal(_ mark: Character) -> Bool {
    mark == separator || mark == Self.arabicDecimal || ",.".contains(mark)
  }

  /// The decimal mark of Arabic numbers.
  private static let arabicDecimal: Character = "\u{66B}"

  /// The marks of all languages; the last one is that between thousands of Arabic numbers.
  private static let marks = ",. '\u{66B}\u{66C}"

  /// Whether groups of digits are thousands: one to three digits, then three in each group.
  ///
  /// Indian languages write two digits in all groups except the first and the last.
  private static func areThousands(_ groups: [String]) -> Bool {
    // A number with thousands groups does not begin with a zero.
    guard groups.count > 1, (1...3).contains(groups[0].count), groups[0].first != "0" else {
      return false
    }
    let inner = groups[1..<(groups.count - 1)]
    let size = inner.first?.count == 2 && groups[0].count < 3 ? 2 : 3
    return groups[groups.count - 1].count == 3 && inner.allSatisfy { $0.count == size }
  }

  private static func isOfExponent(_ character: Character) -> Bool {
    character.isASCII && character.isNumber || "+-".contains(character)
  }

  /// Replaces the spaces and apostrophes of all languages by one of each.
  private static func plain(_ mark: Character) -> Character {
    switch mark {
    case "\u{A0}", "\u{2009}", "\u{202F}": " "
    case "\u{2019}": "'"
    default: mark
    }
  }
}

extension FieldIssue {
  /// A text has two meanings, each given in a form that can be typed.
  static func ambiguousNumber(fraction: String, thousands: String) -> FieldIssue {
    FieldIssue(
      code: "ambiguousNumber",
      parameters: [typedKeys.fraction: fraction, typedKeys.thousands: thousands])
  }
}
