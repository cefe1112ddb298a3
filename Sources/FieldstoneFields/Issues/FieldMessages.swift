import FieldstoneCore

/// A catalogue: the texts of issues in a language.
///
/// An issue is data, and its text is made when it is displayed. A change of the catalogue changes
/// the language, even of existing issues.
///
/// ```swift
/// var messages = FieldMessages.english
/// messages.phrases["required"] = "can't be empty"
/// messages.phrases["codeTaken"] = "is taken by another airport"
/// FieldMessages.current = messages
/// ```
public struct FieldMessages: Sendable {
  /// The language, as in "en" or "de-CH".
  public var language: String

  /// The phrases by issue code, and by an issue's own message where that is to be translated.
  public var phrases: [String: FieldPhrase]

  /// The mark between a number's whole part and its fraction.
  public var decimalSeparator: String

  /// The plural form for a number.
  public var pluralForm: @Sendable (Int) -> FieldPhrase.PluralForm

  /// Makes a catalogue.
  ///
  /// - Parameters:
  ///   - language: the language, as in "en" or "de-CH".
  ///   - phrases: the phrases by code; an issue without one gets that of `invalid`.
  ///   - decimalSeparator: the mark between a number's whole part and its fraction.
  ///   - pluralForm: the form for a number; by default `one` for 1, otherwise `other`.
  public init(
    language: String, phrases: [String: FieldPhrase], decimalSeparator: String = ".",
    pluralForm: @escaping @Sendable (Int) -> FieldPhrase.PluralForm = { $0 == 1 ? .one : .other }
  ) {
    self.language = language
    self.phrases = phrases
    self.decimalSeparator = decimalSeparator
    self.pluralForm = pluralForm
  }

  /// The catalogue of the process: English until an app sets another one.
  public static var current: FieldMessages {
    get { scoped ?? processMessages.withLock { $0 } }
    set {
      // The old one is released outside the lock.
      let old = processMessages.withLock { messages in
        defer { messages = newValue }
        return messages
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Runs a body in which another catalogue is the current one.
  ///
  /// - Throws: what the body throws.
  public static func withCurrent<Result>(
    _ messages: FieldMessages, _ body: () throws -> Result
  ) rethrows -> Result {
    try $scoped.withValue(messages, operation: body)
  }

  private static let processMessages = Locked(FieldMessages.english)

  @TaskLocal private static var scoped: FieldMessages?
}

extension FieldMessages {
  /// The text of an issue, to follow the name of its field: "must be at least 3".
  public func text(for issue: FieldIssue) -> String {
    if let message = issue.message {
      return fill(phrases[message] ?? FieldPhrase(message), with: issue.parameters)
    }
    if !issue.alternatives.isEmpty, phrases[issue.code] == nil {
      return issue.alternatives.map(text(for:)).joined(separator: " \(word("or", "or")) ")
    }
    let phrase = phrases[issue.code] ?? phrases["invalid"] ?? FieldPhrase(issue.code)
    return fill(phrase, with: issue.parameters)
  }

  /// The text of an issue with the name of its field: "Elevation must be at least 3".
  public func sentence(for issue: FieldIssue, name: String) -> String {
    sentence(text(for: issue), name: name)
  }

  /// A text with the name of its field: "Elevation must be at least 3".
  package func sentence(_ text: String, name: String) -> String {
    name.isEmpty ? text : "\(name) \(text)"
  }

  /// One text for all issues of a form, which assistive technology reads out.
  ///
  /// - Parameter sentences: the sentences of the issues, from ``sentence(for:name:)``.
  public func announcement(of sentences: [String]) -> String {
    let phrase = phrases["announcement"] ?? "{sentences}"
    return fill(
      phrase,
      with: ["count": "\(sentences.count)", "sentences": sentences.joined(separator: "; ")])
  }

  /// Replaces places by parameters; a place without a parameter stays.
  func fill(_ phrase: FieldPhrase, with parameters: [String: String]) -> String {
    var form = FieldPhrase.PluralForm.other
    if let key = phrase.countKey, let count = parameters[key].flatMap({ Int($0) }) {
      form = pluralForm(count)
    }
    var rest = Substring(phrase.text(form))
    var filled = ""
    while let open = rest.firstIndex(of: "{") {
      filled += rest[..<open]
      rest = rest[open...]
      let close = rest.firstIndex(of: "}")
      let name = close.map { String(rest[rest.index(after: open)..<$0]) } ?? ""
      guard let close, let value = parameters[name] else {
        filled += "{"
        rest = rest.dropFirst()
        continue
      }
      // A text to type stays as its field reads it, whatever the language.
      let isTyped =
        name == FieldIssue.typedKeys.fraction || name == FieldIssue.typedKeys.thousands
        || name == "allowed"
      filled += isTyped ? value : localized(value)
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }

  /// A word that joins texts.
  private func word(_ code: String, _ fallback: String) -> String {
    phrases[code]?.text(.other) ?? fallback
  }

  /// Writes a number as the language does; any other text stays.
  private func localized(_ value: String) -> String {
    guard decimalSeparator != ".", value.contains("."), Double(value) != nil else { return value }
    return value.split(separator: ".", omittingEmptySubsequences: false)
      .joined(separator: decimalSeparator)
  }
}

extension FieldIssue {
  /// The text in the language of the current catalogue.
  public var text: String { FieldMessages.current.text(for: self) }
}

/// A text with places for parameters, such as "must be at least {minimum}".
///
/// It follows the name of a field. If a number decides the form of the words, there is a text for
/// each form of the language.
public struct FieldPhrase: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The plural forms of words; English and German have ``one`` and ``other``.
  public enum PluralForm: String, Sendable, Hashable, Codable, CaseIterable {
    /// As in "1 item".
    case one
    /// For 2, 3 and 4 in Slavic languages.
    case few
    /// For 5 and more in Slavic languages.
    case many
    /// Any other number.
    case other
  }

  /// The text by form; ``PluralForm/other`` replaces missing ones.
  public var texts: [PluralForm: String]

  /// The parameter whose number decides the form.
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

  /// Makes a phrase whose form depends on a number.
  ///
  /// - Parameters:
  ///   - countKey: the parameter that has the number.
  ///   - one: the text for 1.
  ///   - few: the text for a few, in languages that have this form.
  ///   - many: the text for many, in languages that have this form.
  ///   - other: the text for all other forms.
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
