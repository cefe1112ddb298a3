public import FieldstoneFields

/// The way a value is entered, by which a screen chooses a control.
public enum FieldKind: Sendable, Hashable {
  /// A line of text.
  case text
  /// Several lines of text, and the number of visible lines.
  case multiline(lines: Int)
  /// A text that is hidden, such as a password.
  case secure
  /// An email address.
  case email
  /// A web address.
  case url
  /// A telephone number.
  case phone
  /// A whole number.
  case integer
  /// A number.
  case decimal
  /// Yes or no.
  case toggle
  /// A day and a time.
  case date
  /// A day.
  case day
  /// A time of day.
  case time
  /// One of several options.
  case choice([FieldOption])
  /// Several values, each entered separately.
  case list

  /// The keyboard for this kind.
  public var keyboard: FieldKeyboard {
    switch self {
    case .text, .multiline, .secure, .toggle, .date, .day, .time, .choice, .list: .standard
    case .email: .email
    case .url: .url
    case .phone: .phone
    case .integer: .integer
    case .decimal: .decimal
    }
  }

  /// The meaning of the text, so that the system can fill it in; nil if it is not known.
  public var contentType: FieldContentType? {
    switch self {
    case .secure: .password
    case .email: .email
    case .url: .url
    case .phone: .phone
    default: nil
    }
  }

  /// The characters that the text may have; numbers may have the digits of all scripts.
  public var allowedCharacters: FieldCharacters {
    switch self {
    case .integer: WholeNumber.characters
    case .decimal: NumberMarks.characters
    case .phone: .phone.union(WholeNumber.characters)
    case .email, .url: .withoutSpaces
    default: .all
    }
  }

  /// Whether the typed text is hidden.
  public var isSecure: Bool { self == .secure }

  /// Whether it has several lines.
  public var isMultiline: Bool {
    if case .multiline = self { true } else { false }
  }

  /// The options to choose from; empty for all other kinds.
  public var options: [FieldOption] {
    if case .choice(let options) = self { options } else { [] }
  }
}

/// An option of a choice.
public struct FieldOption: Sendable, Hashable, Identifiable {
  /// The text of the field when this option is chosen.
  public let text: String

  /// The text that people read.
  public let label: String

  /// The text of the field when this option is chosen.
  public var id: String { text }

  /// Makes an option.
  ///
  /// - Parameters:
  ///   - text: the text of the field when this option is chosen.
  ///   - label: the text that people read; by default the same text.
  public init(_ text: String, label: String? = nil) {
    self.text = text
    self.label = label ?? text
  }
}

/// The keyboard for a text.
public enum FieldKeyboard: String, Sendable, Hashable, Codable, CaseIterable {
  /// The default keyboard.
  case standard
  /// Latin letters, digits and ASCII signs only.
  case ascii
  /// A keyboard with `@` and the dot.
  case email
  /// A keyboard with the slash and the dot.
  case url
  /// A keyboard for dialling.
  case phone
  /// Digits, with a minus sign.
  case integer
  /// Digits, with a decimal separator and a minus sign.
  case decimal
}

/// The meaning of a text, so that a system can fill it in.
///
/// The raw values are those of the `autocomplete` attribute in HTML.
public enum FieldContentType: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole name of a person.
  case name
  /// The name that a person signs in with.
  case username
  /// A password that exists.
  case password = "current-password"
  /// A password that is being made.
  case newPassword = "new-password"
  /// A code that was sent.
  case oneTimeCode = "one-time-code"
  /// An email address.
  case email
  /// A telephone number.
  case phone = "tel"
  /// A web address.
  case url
  /// A street with a number.
  case street = "street-address"
  /// A city.
  case city = "address-level2"
  /// A postal code.
  case postalCode = "postal-code"
  /// The name of a country.
  case country = "country-name"
  /// The name of an organisation.
  case organization
}

/// How a field is displayed and edited, where that does not follow from its name and type.
///
/// For nil, the field's type, name or kind decides.
struct FieldPresentation: Sendable {
  var kind: FieldKind?
  var label: String?
  var help: String?
  var placeholder: String?
  var keyboard: FieldKeyboard?
  var contentType: FieldContentType?
  var allowedCharacters: FieldCharacters?
}
