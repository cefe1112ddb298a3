#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import Foundation
  import UIKit

  /// Several lines of text.
  @MainActor
  final class TextBoxControl: NSObject, FieldControl, UITextViewDelegate {
    private let field: FormField
    private let textView = UITextView()

    var element: UIView { textView }
    var takesText: Bool { true }

    /// Makes the control, which is as high as some lines at least.
    init(_ field: FormField, lines: Int) {
      self.field = field
      super.init()
      textView.delegate = self
      let font = UIFont.preferredFont(forTextStyle: .body)
      textView.font = font
      textView.adjustsFontForContentSizeCategory = true
      textView.layer.cornerRadius = 6
      textView.backgroundColor = .secondarySystemBackground
      textView.keyboardType = field.keyboard.type
      textView.textContentType = field.contentType?.type
      // It grows with its text; what scrolls is the form.
      textView.isScrollEnabled = false
      if field.isVerbatim {
        textView.autocapitalizationType = .none
        textView.autocorrectionType = .no
      }
      textView.heightAnchor.constraint(
        greaterThanOrEqualToConstant: font.lineHeight * CGFloat(max(lines, 1)) + 16
      ).isActive = true
    }

    func show(_ field: FormField, _ description: FieldDescription) {
      if textView.markedTextRange == nil, textView.text ?? "" != field.text {
        textView.text = field.text
      }
      textView.describe(description)
    }

    func put(_ bar: UIView) { textView.inputAccessoryView = bar }

    func textViewDidBeginEditing(_ textView: UITextView) { field.focus() }

    func textViewDidChange(_ textView: UITextView) { field.text = textView.text ?? "" }

    func textViewDidEndEditing(_ textView: UITextView) {
      if field.isFocused { field.blur() }
    }
  }
#endif
