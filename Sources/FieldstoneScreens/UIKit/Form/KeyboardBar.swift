#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import UIKit

  /// A bar above a keyboard whose return key does not go on: to the next field, or done.
  final class KeyboardBar: UIToolbar {
    /// Makes a bar.
    ///
    /// - Parameters:
    ///   - texts: what the buttons say.
    ///   - goOn: goes to the next field; nil where there is none.
    ///   - finish: puts the keyboard away.
    convenience init(
      _ texts: FormViewController.Texts, goOn: (@MainActor () -> Void)?,
      finish: @escaping @MainActor () -> Void
    ) {
      self.init(frame: .zero)
      var items = [UIBarButtonItem.flexibleSpace()]
      if let goOn {
        items.append(
          UIBarButtonItem(primaryAction: UIAction(title: texts.nextField) { _ in goOn() }))
      }
      items.append(
        UIBarButtonItem(primaryAction: UIAction(title: texts.endEditing) { _ in finish() }))
      self.items = items
      sizeToFit()
    }
  }

  extension FormField {
    /// Whether no key of its keyboard goes on: pads have no return key, and among several lines it
    /// begins another one.
    var needsKeyboardBar: Bool { kind.isMultiline || textKeyboard.type == .phonePad }
  }

  /// Scrolls, and ends editing at a tap that nothing else takes.
  final class FormScrollView: UIScrollView {
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
      super.touchesEnded(touches, with: event)
      endEditing(true)
    }
  }
#endif
