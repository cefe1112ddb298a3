#if canImport(SwiftUI)
  import FieldstoneFields
  import SwiftUI

  /// What has the focus of the keyboard in a form.
  enum FormFocus: Hashable {
    /// The control of a field.
    case field(FormField.ID)
    /// The control of an item of a field.
    case item(FormField.ID, FieldItemID)
    /// The control in which an item is typed that is to be added to a field.
    case newItem(FormField.ID)

    /// The field that has the focus with it.
    var field: FormField.ID {
      switch self {
      case .field(let field), .item(let field, _), .newItem(let field): field
      }
    }
  }

  /// The focus of the keyboard, and that of assistive technology.
  struct FormFocusBindings {
    let keyboard: FocusState<FormFocus?>.Binding
    let speech: AccessibilityFocusState<FormFocus?>.Binding
  }

  extension View {
    /// Says that a control is what a focus stands for.
    func focused(_ focus: FormFocusBindings, equals control: FormFocus) -> some View {
      focused(focus.keyboard, equals: control)
        .accessibilityFocused(focus.speech, equals: control)
    }
  }

  extension FormView {
    /// The person has gone to another control: the form hears of the field.
    func leave(for focus: FormFocus?) {
      guard focus?.field != form.focusedField?.id else { return }
      form.focusedField = form.fields.first { $0.id == focus?.field }
    }

    /// The form has gone to another field: its control gets the focus.
    func follow(_ field: FormField.ID?) {
      guard focus?.field != field else { return }
      focus = form.fields.first { $0.id == field }?.entrance
      spokenFocus = focus
    }

    /// The last field that is typed into.
    var lastTyped: FormField.ID? { form.fields.last { $0.isTyped }?.id }

    /// The return key was pressed in a field.
    func goOn() {
      let typed = form.fields.filter(\.isTyped)
      guard let here = typed.firstIndex(where: { $0.id == focus?.field }) else { return }
      if here + 1 < typed.count {
        form.focusedField = typed[here + 1]
      } else {
        screen.submit()
      }
    }
  }
#endif
