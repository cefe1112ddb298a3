#if canImport(SwiftUI)
  import FieldstoneFields
  import FieldstoneForms
  import SwiftUI

  #if canImport(UIKit)
    import UIKit
  #endif

  extension View {
    /// Sets the keyboard for a field, on systems with an on-screen keyboard.
    func keyboard(of field: FormField) -> some View {
      #if canImport(UIKit) && !os(watchOS)
        autocorrectionDisabled(field.isCode)
          .textInputAutocapitalization(field.isCode ? .never : .sentences)
          .keyboardType(field.systemKeyboard)
          .textContentType(field.systemContentType)
      #else
        autocorrectionDisabled(field.isCode)
      #endif
    }
  }

  extension FormField {
    /// Whether the text is not prose, so that nothing is corrected.
    fileprivate var isCode: Bool {
      if suitableKeyboard != .standard || kind.isSecure || itemKind.isSecure { return true }
      switch contentType {
      case .username, .password, .newPassword, .oneTimeCode, .email, .url: return true
      default: return false
      }
    }

    /// Whether its keyboard is a pad without a return key.
    var hasPad: Bool { suitableKeyboard == .phone }

    /// The keyboard for the field, or for its items.
    fileprivate var suitableKeyboard: FieldKeyboard {
      keyboard == .standard && kind == .list ? itemKind.keyboard : keyboard
    }

    #if canImport(UIKit) && !os(watchOS)
      fileprivate var systemKeyboard: UIKeyboardType {
        switch suitableKeyboard {
        case .standard: .default
        case .ascii: .asciiCapable
        case .email: .emailAddress
        case .url: .URL
        case .phone: .phonePad
        // The pads of digits have no minus sign.
        case .integer, .decimal: .numbersAndPunctuation
        }
      }

      fileprivate var systemContentType: UITextContentType? {
        switch contentType {
        case nil: nil
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
    #endif
  }

  extension View {
    /// Adds a bar above the keyboard, on systems with an on-screen keyboard.
    func keyboardBar<Content: View>(@ViewBuilder _ content: () -> Content) -> some View {
      #if os(tvOS) || os(watchOS) || os(macOS) || os(visionOS)
        self
      #else
        toolbar { ToolbarItemGroup(placement: .keyboard, content: content) }
      #endif
    }

    /// Dismisses the keyboard interactively while the user scrolls.
    func putsKeyboardAwayByScrolling() -> some View {
      #if os(visionOS)
        self
      #else
        scrollDismissesKeyboard(.interactively)
      #endif
    }

    /// Ends editing on a tap outside the controls.
    func putsKeyboardAway(if isThere: Bool, _ end: @escaping () -> Void) -> some View {
      contentShape(Rectangle())
        // Without a keyboard the gesture has no purpose and must not block others.
        .gesture(TapGesture().onEnded { end() }, including: isThere ? .all : .subviews)
    }
  }
#endif
