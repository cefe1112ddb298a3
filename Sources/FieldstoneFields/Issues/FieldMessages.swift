import FieldstoneCore

/// A catalogue: what issues say in a language.
///
/// An issue is data, and its text is made when it is shown: a change of the catalogue changes
/// the language, also of issues that are there already.
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

  /// The phrases by the issues' code, and by their own words where those are to be translated.
  public var phrases: [String: FieldPhrase]

  /// The mark between a number's whole part and its fraction.
  public var decimalSeparator: String

  /// Which form the words take for a number.
  public var pluralForm: @Sendable (Int) -> FieldPhrase.PluralForm

  /// Makes a catalogue.
  ///
  /// - Parameters:
  ///   - language: the language, as in "en" or "de-CH".
  ///   - phrases: the phrases by code; an issue that has none is said not to be valid.
  ///   - decimalSeparator: what stands between a number's whole part and its fraction.
  ///   - pluralForm: the form for a number; `one` for 1, otherwise `other`, unless given.
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
  /// The text of an issue, to be read after the name of its field: "must be at least 3".
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

  /// One text for all that is wrong in a form, for assistive technology to read out.
  ///
  /// - Parameter sentences: what is wrong, as ``sentence(for:name:)`` says it.
  public func announcement(of sentences: [String]) -> String {
    let phrase = phrases["announcement"] ?? "{sentences}"
    return fill(
      phrase,
      with: ["count": "\(sentences.count)", "sentences": sentences.joined(separator: "; ")])
  }

  /// Puts parameters in their places; a place without a parameter stays as it is.
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
      // What is to be typed is as its field reads it, whatever the language.
      let isTyped = name == FieldIssue.typedKeys.fraction || name == FieldIssue.typedKeys.thousands
      filled += isTyped ? value : localized(value)
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }

  /// Words that join others.
  private func word(_ code: String, _ fallback: String) -> String {
    phrases[code]?.text(.other) ?? fallback
  }

  /// A number is written as the language writes it; all else stays.
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
