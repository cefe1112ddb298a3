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

  /// What stands between a number's whole part and its fraction.
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
