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

/// What a text means, so that a system can fill it in.
///
/// The raw values are those of the `autocomplete` attribute in HTML.
public enum FieldContentType: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole name of a person.
  case name
  /// What a person signs in as.
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
