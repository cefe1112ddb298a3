#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
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
#endif
