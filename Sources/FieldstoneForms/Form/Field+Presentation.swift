public import FieldstoneFields
import Foundation

extension Field {
  /// Sets how the field is displayed and edited; its name and type decide the rest.
  ///
  /// ```swift
  /// let password = Field<String>("Password")
  ///   .presented(as: .secure, help: "At least 12 characters.", contentType: .newPassword)
  /// ```
  ///
  /// A date that is presented as a day or as a time is typed as such, unless `text(as:)` sets
  /// another format: in the time zone of its transformer, if that has one, such as
  /// `.date(format:timeZone:)`, and otherwise in the user's.
  ///
  /// - Parameters:
  ///   - kind: how the value is entered.
  ///   - label: the text that people read beside it.
  ///   - help: a sentence that helps to fill it in.
  ///   - placeholder: the text in its place while it is empty.
  ///   - keyboard: the keyboard.
  ///   - contentType: the meaning of the text.
  ///   - allowedCharacters: the characters that may be typed.
  @discardableResult
  public final func presented(
    as kind: FieldKind? = nil, label: String? = nil, help: String? = nil,
    placeholder: String? = nil, keyboard: FieldKeyboard? = nil,
    contentType: FieldContentType? = nil, allowedCharacters: FieldCharacters? = nil
  ) -> Self {
    let appearance = ensureExtra(FieldAppearance())
    appearance.presentation = FieldPresentation(
      kind: kind, label: label, help: help, placeholder: placeholder, keyboard: keyboard,
      contentType: contentType, allowedCharacters: allowedCharacters)
    appearance.usualFormat = nil
    return self
  }

  /// Sets how the value is typed and displayed as text; call it before a form lists the field.
  @discardableResult
  public final func text(as format: FieldTextFormat<Value>) -> Self {
    ensureExtra(FieldAppearance()).textFormat = format
    return self
  }

  /// The field's own format; otherwise the standard one of its type, or the text of its
  /// transformer.
  ///
  /// Nil if there is none of them.
  final var textFormat: FieldTextFormat<Value>? {
    if let own = appearance?.textFormat as? FieldTextFormat<Value> { return own }
    if let usual = usualFormat { return usual }
    return .standard ?? transformer.flatMap { $0.writesText ? .transformed(by: $0) : nil }
  }
}

extension Field {
  /// The format of a date that is presented as such, in the time zone of its transformer; nil for
  /// other fields.
  ///
  /// A date with its own transformer is typed as that writes it; days and times always have a
  /// format.
  private var usualFormat: FieldTextFormat<Value>? {
    guard Value.self == Date.self, let appearance, let kind = appearance.presentation?.kind else {
      return nil
    }
    if let known = appearance.usualFormat as? FieldTextFormat<Value> { return known }
    let transformer = ownTransformer(named: nil)
    if kind == .date, transformer != nil { return nil }
    let zone = transformer?.timeZone ?? .autoupdatingCurrent
    let format = FieldTextFormat<Date>.usual(for: kind, in: zone) as? FieldTextFormat<Value>
    appearance.usualFormat = format
    return format
  }
}

/// How a field is displayed, and how its value is typed.
final class FieldAppearance: FieldExtra {
  var presentation: FieldPresentation?

  /// The format of a date of its kind, once it was used: making one takes long.
  var usualFormat: (any Sendable)?

  /// A `FieldTextFormat` of the field's type.
  var textFormat: (any Sendable)?
}

extension AnyField {
  final var appearance: FieldAppearance? { extra(FieldAppearance.self) }

  /// Whether the text of the field, or of its items, must not be shown.
  package final var isPresentedAsSecure: Bool {
    if appearance?.presentation?.kind?.isSecure == true { return true }
    return (self as? any ItemsField)?.hasSecureItems ?? false
  }
}
