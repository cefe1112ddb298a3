#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import FieldstoneForms
  import UIKit

  extension FieldKeyboard {
    /// UIKit's type of the keyboard.
    ///
    /// UIKit's digit pads have neither a minus sign nor a return key.
    var type: UIKeyboardType {
      switch self {
      case .standard: .default
      case .ascii: .asciiCapable
      case .email: .emailAddress
      case .url: .URL
      case .phone: .phonePad
      case .integer, .decimal: .numbersAndPunctuation
      }
    }

    /// Whether it is for prose, with capitals and corrections.
    var isForProse: Bool { self == .standard }
  }

  extension FieldContentType {
    /// UIKit's name of the content type.
    var type: UITextContentType {
      switch self {
      case .name: .name
      case .username: .username
      case .password: .password
      case .newPassword: .newPassword
      case .oneTimeCode: .oneTimeCode
      case .email: .emailAddress
      case .phone: .telephoneNumber
      case .url: .URL
      case .street: .fullStreetAddress
      case .city: .addressCity
      case .postalCode: .postalCode
      case .country: .countryName
      case .organization: .organizationName
      }
    }
  }

  extension FormField {
    /// The keyboard for the field, or for one of its items.
    var textKeyboard: FieldKeyboard {
      keyboard == .standard && kind == .list ? itemKind.keyboard : keyboard
    }

    /// Whether the system must not change the typed text.
    var isVerbatim: Bool {
      if kind.isSecure || itemKind.isSecure || !textKeyboard.isForProse { return true }
      switch contentType {
      case .username?, .password?, .newPassword?, .oneTimeCode?, .email?, .phone?, .url?:
        return true
      default: return false
      }
    }
  }

  /// A bar with Next and Done, for a keyboard whose return key does not move to the next field.
  final class KeyboardBar: UIToolbar {
    /// Makes a bar.
    ///
    /// - Parameters:
    ///   - texts: the titles of the buttons.
    ///   - goOn: moves to the next field; nil without one.
    ///   - finish: dismisses the keyboard.
    convenience init(
      _ texts: ScreenTexts, goOn: (@MainActor () -> Void)?,
      finish: @escaping @MainActor () -> Void
    ) {
      self.init(frame: .zero)
      var items = [UIBarButtonItem.flexibleSpace()]
      if let goOn {
        items.append(
          UIBarButtonItem(primaryAction: UIAction(title: texts.next) { _ in goOn() }))
      }
      items.append(
        UIBarButtonItem(primaryAction: UIAction(title: texts.done) { _ in finish() }))
      self.items = items
      sizeToFit()
    }
  }

  extension FormField {
    /// Whether the keyboard has no key that moves to the next field: pads have no return key, and
    /// in several lines it begins a new line.
    var needsKeyboardBar: Bool { kind.isMultiline || textKeyboard.type == .phonePad }
  }

  /// A scroll view that ends editing on a tap outside the controls.
  final class FormScrollView: UIScrollView {
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
      super.touchesEnded(touches, with: event)
      endEditing(true)
    }
  }
#endif
