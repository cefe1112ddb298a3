#if canImport(SwiftUI)
  import FieldstoneFields
  import FieldstoneForms
  import SwiftUI

  #if canImport(UIKit)
    import UIKit
  #endif

  extension View {
    /// Sees to the keyboard that suits a field, where there is one on the screen.
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
    /// Whether what is typed is no language, so that nothing is to be corrected.
    fileprivate var isCode: Bool {
      if suitableKeyboard != .standard || kind.isSecure { return true }
      switch contentType {
      case .username, .password, .newPassword, .oneTimeCode, .email, .url: return true
      default: return false
      }
    }

    /// Whether its keyboard is a pad, which has no return key.
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
    /// Puts a bar above the keyboard, where there is one on the screen.
    func keyboardBar<Content: View>(@ViewBuilder _ content: () -> Content) -> some View {
      #if os(tvOS) || os(watchOS) || os(macOS)
        self
      #else
        toolbar { ToolbarItemGroup(placement: .keyboard, content: content) }
      #endif
    }

    /// Puts the keyboard away when what is under it is scrolled, as people are used to.
    func putsKeyboardAwayByScrolling() -> some View {
      #if os(visionOS)
        self
      #else
        scrollDismissesKeyboard(.interactively)
      #endif
    }

    /// Ends editing at a tap that no control takes.
    func putsKeyboardAway(if isThere: Bool, _ end: @escaping () -> Void) -> some View {
      contentShape(Rectangle())
        // Without a keyboard there is nothing to be tapped away, and no gesture in the way.
        .gesture(TapGesture().onEnded { end() }, including: isThere ? .all : .subviews)
    }
  }
#endif
