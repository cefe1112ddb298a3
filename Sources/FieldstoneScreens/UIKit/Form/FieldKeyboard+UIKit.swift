#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import FieldstoneForms
  import UIKit

  extension FieldKeyboard {
    /// UIKit's keyboard for it.
    ///
    /// Its pads of digits have neither a minus sign nor a return key.
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

    /// Whether sentences are typed with it, which have capitals and are corrected.
    var isForProse: Bool { self == .standard }
  }

  extension FieldContentType {
    /// UIKit's name for it.
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

    /// Whether what is typed is to be left as it was typed.
    var isVerbatim: Bool {
      if kind.isSecure || !textKeyboard.isForProse { return true }
      switch contentType {
      case .username?, .password?, .newPassword?, .oneTimeCode?, .email?, .phone?, .url?:
        return true
      default: return false
      }
    }
  }

  /// A bar above a keyboard whose return key does not go on: to the next field, or done.
  final class KeyboardBar: UIToolbar {
    /// Makes a bar.
    ///
    /// - Parameters:
    ///   - texts: what the buttons say.
    ///   - goOn: goes to the next field; nil where there is none.
    ///   - finish: puts the keyboard away.
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
