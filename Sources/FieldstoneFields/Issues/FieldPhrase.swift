/// A text with places for parameters, such as "must be at least {minimum}".
///
/// It is read after the name of a field. Where a number decides on the form of the words, there is
/// a text for each form that the language has.
public struct FieldPhrase: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The forms that words take by number; English and German have ``one`` and ``other``.
  public enum PluralForm: String, Sendable, Hashable, Codable, CaseIterable {
    /// As in "1 item".
    case one
    /// As Slavic languages have for 2, 3 and 4.
    case few
    /// As Slavic languages have for 5 and more.
    case many
    /// All others.
    case other
  }

  /// The text by form; ``PluralForm/other`` stands in for those that are missing.
  public var texts: [PluralForm: String]

  /// The parameter whose number decides on the form.
  public var countKey: String?

  /// Makes a phrase with one form.
  @inline(never)
  public init(_ text: String) {
    // Not inlined: a catalogue is made of many, at 200 bytes each.
    texts = [.other: text]
  }

  /// Makes a phrase with one form.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// Makes a phrase whose form is decided by a number.
  ///
  /// - Parameters:
  ///   - countKey: the parameter that has the number.
  ///   - one: the text for the form of 1.
  ///   - few: the text for the form of a few, in languages that have one.
  ///   - many: the text for the form of many, in languages that have one.
  ///   - other: the text for all forms that are not given.
  @inline(never)
  public static func counted(
    by countKey: String, one: String, few: String? = nil, many: String? = nil, other: String
  ) -> FieldPhrase {
    var phrase = FieldPhrase(other)
    phrase.countKey = countKey
    phrase.texts[.one] = one
    phrase.texts[.few] = few
    phrase.texts[.many] = many
    return phrase
  }

  /// The text for a form.
  func text(_ form: PluralForm) -> String {
    texts[form] ?? texts[.other] ?? ""
  }
}
