#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import FieldstoneForms
  import Foundation
  import UIKit

  /// A line of text.
  @MainActor
  final class TextLineControl: FieldControl {
    private let field: FormField
    private let textField: UITextField
    private let returnKey: ReturnKey

    var element: UIView { textField }
    var takesText: Bool { true }

    /// Makes the control.
    ///
    /// - Parameters:
    ///   - field: the field to edit.
    ///   - isLast: whether no later field is edited by typing.
    ///   - goOn: called for the return key.
    init(_ field: FormField, isLast: Bool, goOn: @escaping @MainActor () -> Void) {
      self.field = field
      returnKey = ReturnKey { _ in goOn() }
      textField = UITextField(field, isSecure: field.kind.isSecure)
      textField.placeholder = field.placeholder.isEmpty ? nil : field.placeholder
      textField.returnKeyType = isLast ? .done : .next
      textField.textContentType = field.contentType?.type
      textField.on(.editingDidBegin) { _ in field.focus() }
      textField.on(.editingChanged) { textField in
        textField.drop(butFor: field.allowedCharacters)
        field.text = textField.text ?? ""
      }
      textField.on(.editingDidEnd) { _ in
        // The form may have moved the focus already.
        if field.isFocused { field.blur() }
      }
      textField.delegate = returnKey
    }

    func put(_ bar: UIView) { textField.put(bar) }

    func show(_ field: FormField, _ description: FieldDescription) {
      // Marked text is not part of the field's text yet.
      if textField.markedTextRange == nil, textField.text ?? "" != field.text {
        textField.text = field.text
      }
      textField.describe(description)
    }
  }

  /// Calls a closure for the return key, and keeps the keyboard.
  @MainActor
  final class ReturnKey: NSObject, UITextFieldDelegate {
    private let body: @MainActor (UITextField) -> Void

    init(_ body: @escaping @MainActor (UITextField) -> Void) {
      self.body = body
      super.init()
    }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
      body(textField)
      return false
    }
  }

  extension UITextField {
    /// Makes a text field for a field of a form.
    convenience init(_ field: FormField, isSecure: Bool) {
      self.init(frame: .zero)
      borderStyle = .roundedRect
      font = .preferredFont(forTextStyle: .body)
      adjustsFontForContentSizeCategory = true
      clearButtonMode = .whileEditing
      keyboardType = field.textKeyboard.type
      isSecureTextEntry = isSecure
      if field.isVerbatim {
        autocapitalizationType = .none
        autocorrectionType = .no
        spellCheckingType = .no
        smartQuotesType = .no
        smartDashesType = .no
        smartInsertDeleteType = .no
      }
    }

    /// Calls a closure for an event, with itself.
    func on(_ event: UIControl.Event, _ body: @escaping @MainActor (UITextField) -> Void) {
      let action = UIAction { [weak self] _ in
        if let self { body(self) }
      }
      addAction(action, for: event)
    }

    /// Drops the characters that are not allowed.
    func drop(butFor characters: FieldCharacters) {
      guard markedTextRange == nil, let text else { return }
      let allowed = characters.filter(text)
      if allowed != text { keepCaret { self.text = allowed } }
    }

    /// Puts a bar above the keyboard; visionOS has no place for one.
    func put(_ bar: UIView?) {
      #if !os(visionOS)
        inputAccessoryView = bar
      #endif
    }
  }

  extension UITextInput {
    /// Replaces the text and leaves the caret in front of what is behind it: by itself it would go to
    /// the end.
    fileprivate func keepCaret(_ replace: () -> Void) {
      let behind = selectedTextRange.map { offset(from: $0.end, to: endOfDocument) } ?? 0
      replace()
      // There is no such place where characters behind it are gone, too.
      guard let caret = position(from: endOfDocument, offset: -behind) else { return }
      selectedTextRange = textRange(from: caret, to: caret)
    }
  }

  extension UITextView {
    /// Drops the characters that are not allowed; line breaks always are.
    fileprivate func drop(butFor characters: FieldCharacters) {
      // UIKit's text is implicitly unwrapped.
      guard markedTextRange == nil, let text = text as String? else { return }
      let allowed = characters.union(FieldCharacters(\.isNewline)).filter(text)
      if allowed != text { keepCaret { self.text = allowed } }
    }
  }

  /// Several lines of text.
  @MainActor
  final class TextBoxControl: NSObject, FieldControl, UITextViewDelegate {
    private let field: FormField
    private let textView = UITextView()
    private let placeholder: UILabel

    var element: UIView { textView }
    var takesText: Bool { true }

    /// Makes the control, with a minimum height in lines.
    init(_ field: FormField, lines: Int) {
      self.field = field
      placeholder = UILabel(field.placeholder, style: .body, color: .placeholderText)
      super.init()
      textView.delegate = self
      let font = UIFont.preferredFont(forTextStyle: .body)
      textView.font = font
      textView.adjustsFontForContentSizeCategory = true
      textView.layer.cornerRadius = 6
      textView.backgroundColor = .secondarySystemBackground
      textView.keyboardType = field.keyboard.type
      textView.textContentType = field.contentType?.type
      // It grows with its text; only the form scrolls.
      textView.isScrollEnabled = false
      if field.isVerbatim {
        textView.autocapitalizationType = .none
        textView.autocorrectionType = .no
        textView.spellCheckingType = .no
        textView.smartQuotesType = .no
        textView.smartDashesType = .no
        textView.smartInsertDeleteType = .no
      }
      textView.heightAnchor.constraint(
        greaterThanOrEqualToConstant: font.lineHeight * CGFloat(max(lines, 1)) + 16
      ).isActive = true
      addPlaceholder()
    }

    /// Puts the placeholder where the first line of the text begins.
    private func addPlaceholder() {
      // Assistive technology reads the field's hint instead.
      placeholder.isAccessibilityElement = false
      placeholder.translatesAutoresizingMaskIntoConstraints = false
      textView.addSubview(placeholder)
      let (insets, padding) = (
        textView.textContainerInset, textView.textContainer.lineFragmentPadding
      )
      let frame = textView.frameLayoutGuide
      NSLayoutConstraint.activate([
        placeholder.topAnchor.constraint(equalTo: frame.topAnchor, constant: insets.top),
        placeholder.leadingAnchor.constraint(
          equalTo: frame.leadingAnchor, constant: insets.left + padding),
        placeholder.trailingAnchor.constraint(
          lessThanOrEqualTo: frame.trailingAnchor, constant: -insets.right - padding),
        placeholder.bottomAnchor.constraint(
          lessThanOrEqualTo: frame.bottomAnchor, constant: -insets.bottom),
      ])
    }

    func show(_ field: FormField, _ description: FieldDescription) {
      if textView.markedTextRange == nil, textView.text ?? "" != field.text {
        textView.text = field.text
      }
      placeholder.isHidden = !field.text.isEmpty
      textView.describe(description)
    }

    func put(_ bar: UIView) {
      #if !os(visionOS)
        textView.inputAccessoryView = bar
      #endif
    }

    func textViewDidBeginEditing(_ textView: UITextView) { field.focus() }

    func textViewDidChange(_ textView: UITextView) {
      textView.drop(butFor: field.allowedCharacters)
      field.text = textView.text ?? ""
    }

    func textViewDidEndEditing(_ textView: UITextView) {
      if field.isFocused { field.blur() }
    }
  }
#endif
