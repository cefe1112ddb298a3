/// How a field is shown and put in, where that does not follow from its name and its type.
public struct FieldPresentation: Sendable {
  /// How it is put in; from the field's type unless given.
  public var kind: FieldKind?

  /// What people read beside it; the field's name unless given.
  public var label: String?

  /// A sentence that helps to fill it in.
  public var help: String?

  /// What stands in its place while it is empty.
  public var placeholder: String?

  /// The keyboard; from the kind unless given.
  public var keyboard: FieldKeyboard?

  /// What the text means; from the kind unless given.
  public var contentType: FieldContentType?

  /// The characters that may be typed; from the kind unless given.
  public var allowedCharacters: FieldCharacters?

  /// Makes a presentation; what is nil follows from the field.
  public init(
    kind: FieldKind? = nil, label: String? = nil, help: String? = nil, placeholder: String? = nil,
    keyboard: FieldKeyboard? = nil, contentType: FieldContentType? = nil,
    allowedCharacters: FieldCharacters? = nil
  ) {
    self.kind = kind
    self.label = label
    self.help = help
    self.placeholder = placeholder
    self.keyboard = keyboard
    self.contentType = contentType
    self.allowedCharacters = allowedCharacters
  }
}
