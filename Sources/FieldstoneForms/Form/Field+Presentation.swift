public import FieldstoneFields
import Foundation

extension Field {
  /// Says how the field is shown and put in; what is not given follows from its name and type.
  ///
  /// ```swift
  /// let password = Field<String>("Password")
  ///   .presented(as: .secure, help: "At least 12 characters.", contentType: .newPassword)
  /// ```
  ///
  /// A date that is presented as a day or as a time is typed as such where the person is, unless
  /// `text(as:)` says otherwise.
  ///
  /// - Parameters:
  ///   - kind: how it is put in.
  ///   - label: what people read beside it.
  ///   - help: a sentence that helps to fill it in.
  ///   - placeholder: what stands in its place while it is empty.
  ///   - keyboard: the keyboard.
  ///   - contentType: what the text means.
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
    // A moment with a transformer of its own is typed as that writes it; a day, or a time, is always one.
    if appearance.textFormat == nil, kind != .date || ownTransformer(named: nil) == nil,
      let usual = FieldTextFormat<Date>.usual(for: kind) as? FieldTextFormat<Value>
    {
      appearance.textFormat = usual
    }
    return self
  }

  /// Says how the value is typed and shown as text; to be said before a form lists the field.
  @discardableResult
  public final func text(as format: FieldTextFormat<Value>) -> Self {
    ensureExtra(FieldAppearance()).textFormat = format
    return self
  }

  /// How the value is typed and shown: as was said, else as is usual for the type, else as the
  /// text that its transformer makes; nil where there is none.
  final var textFormat: FieldTextFormat<Value>? {
    if let own = appearance?.textFormat as? FieldTextFormat<Value> { return own }
    return .standard ?? transformer.flatMap { $0.writesText ? .transformed(by: $0) : nil }
  }
}

/// How a field is shown, and how its value is typed.
final class FieldAppearance: FieldExtra {
  var presentation: FieldPresentation?

  /// A `FieldTextFormat` of the field's type.
  var textFormat: (any Sendable)?
}

extension AnyField {
  final var appearance: FieldAppearance? { extra(FieldAppearance.self) }
}
