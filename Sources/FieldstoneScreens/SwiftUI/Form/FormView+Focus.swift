#if canImport(SwiftUI)
  import FieldstoneFields
  import FieldstoneForms
  import SwiftUI

  /// The place of the keyboard focus in a form.
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

  /// A field that the form has given the focus to, until its control has it.
  ///
  /// A long form makes a row when it is scrolled to, and a focus that no control can take is taken
  /// away again: that is not the person leaving the field.
  @MainActor
  final class FocusPursuit {
    /// The field whose control does not have the focus yet.
    var field: FormField.ID?

    /// The fields whose rows are there.
    var rows: Set<FormField.ID> = []
  }

  extension View {
    /// Says that a control is what a focus stands for.
    func focused(_ focus: FormFocusBindings, equals control: FormFocus) -> some View {
      focused(focus.keyboard, equals: control)
        .accessibilityFocused(focus.speech, equals: control)
    }
  }

  extension FormView {
    /// Hears that another control has the focus: where the person went there, the form goes, too.
    func leave(for focus: FormFocus?) {
      guard let focus else {
        if pursuit.field == nil { form.focusedField = nil }
        return
      }
      let field = form.fields.first { $0.id == focus.field }
      if focus.field == pursuit.field {
        // A control without a keyboard may lose the focus at once.
        if pursuit.rows.contains(focus.field), field?.isTyped == true { pursuit.field = nil }
      } else {
        pursuit.field = nil
        if form.focusedField !== field { form.focusedField = field }
      }
    }

    /// Hears that the form has gone to another field: its row is scrolled to, and then its control
    /// gets the focus.
    func follow(_ field: FormField.ID?, _ scroll: ScrollViewProxy) {
      if let field { scroll.scrollTo(field) }
      guard focus?.field != field else { return }
      pursuit.field = field
      if field == nil {
        focus = nil
        spokenFocus = nil
      } else {
        pursue()
      }
    }

    /// Hears that a row is there.
    func arrived(_ field: FormField.ID) {
      pursuit.rows.insert(field)
      if pursuit.field == field { pursue() }
    }

    /// Gives the focus in the next turn, in which a row that was scrolled to is there.
    private func pursue() {
      Task { @MainActor in
        guard let field = form.focusedField, field.id == pursuit.field else { return }
        let entrance = field.entrance
        focus = entrance
        spokenFocus = entrance
      }
    }

    /// The last field that is typed into.
    var lastTyped: FormField.ID? { form.fields.last { $0.isTyped }?.id }

    /// Whether no key of the keyboard goes on from where the focus is.
    var needsKeyboardBar: Bool {
      guard let here = form.fields.first(where: { $0.id == focus?.field }) else { return false }
      return here.isTyped && (here.kind.isMultiline || here.hasPad)
    }

    /// The return key was pressed in a field, or what stands for it.
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
