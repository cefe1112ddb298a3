public import FieldstoneFields

/// How a value is put in: what a screen needs to know to choose a control.
public enum FieldKind: Sendable, Hashable {
  /// A line of text.
  case text
  /// Several lines of text, and how many are shown at once.
  case multiline(lines: Int)
  /// A text that is not shown, such as a password.
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
  /// One of some values.
  case choice([FieldOption])
  /// Several values, each put in by itself.
  case list

  /// The keyboard that suits it.
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

  /// The meaning of the text, so that the system can fill it in; nil where it has no known one.
  public var contentType: FieldContentType? {
    switch self {
    case .secure: .password
    case .email: .email
    case .url: .url
    case .phone: .phone
    default: nil
    }
  }

  /// The characters that it may be made of.
  public var allowedCharacters: FieldCharacters {
    switch self {
    case .integer: .integer
    case .decimal: .decimal
    case .phone: .phone
    case .email, .url: .withoutSpaces
    default: .all
    }
  }

  /// Whether what is typed is not shown.
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

/// One of the values that can be chosen from.
public struct FieldOption: Sendable, Hashable, Identifiable {
  /// The text that stands for the value, as the field's text.
  public let text: String

  /// The text that people read.
  public let label: String

  /// The text that stands for the value.
  public var id: String { text }

  /// Makes an option.
  ///
  /// - Parameters:
  ///   - text: the text that stands for the value, as the field's text.
  ///   - label: what people read; the text unless given.
  public init(_ text: String, label: String? = nil) {
    self.text = text
    self.label = label ?? text
  }
}

/// The keyboard that suits what is typed.
public enum FieldKeyboard: String, Sendable, Hashable, Codable, CaseIterable {
  /// The usual one.
  case standard
  /// Latin letters, digits and signs only.
  case ascii
  /// With `@` and the dot at hand.
  case email
  /// With the slash and the dot at hand.
  case url
  /// For dialling.
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

/// How a field is shown and edited, where that does not follow from its name and its type.
///
/// Each nil follows from the field: its type, its name, or its kind.
struct FieldPresentation: Sendable {
  var kind: FieldKind?
  var label: String?
  var help: String?
  var placeholder: String?
  var keyboard: FieldKeyboard?
  var contentType: FieldContentType?
  var allowedCharacters: FieldCharacters?
}
