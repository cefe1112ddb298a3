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
    /// The control for a new item of a field.
    case newItem(FormField.ID)

    /// The field of the focused control.
    var field: FormField.ID {
      switch self {
      case .field(let field), .item(let field, _), .newItem(let field): field
      }
    }
  }

  /// The focus of the keyboard, and the focus of assistive technology.
  struct FormFocusBindings {
    let keyboard: FocusState<FormFocus?>.Binding
    let speech: AccessibilityFocusState<FormFocus?>.Binding
  }

  /// The field that the form has focused, until its control has the focus.
  ///
  /// A long form makes a row only when it is scrolled to, and SwiftUI resets a focus that no
  /// control can take. Such a reset does not mean that the user has left the field.
  @MainActor
  final class FocusPursuit {
    /// The field whose control does not have the focus yet.
    var field: FormField.ID?

    /// The fields whose rows exist.
    var rows: Set<FormField.ID> = []
  }

  extension View {
    /// Binds a control to a place of the focus.
    func focused(_ focus: FormFocusBindings, equals control: FormFocus) -> some View {
      focused(focus.keyboard, equals: control)
        .accessibilityFocused(focus.speech, equals: control)
    }
  }

  extension FormView {
    /// Called when a control has lost the focus: an item is touched, and the text in the line for a new
    /// item is added.
    func left(_ control: FormFocus) {
      guard let field = form.fields.first(where: { $0.id == control.field }) else { return }
      switch control {
      case .field: break
      case .item(_, let item): field.touch(item)
      case .newItem: newItems.add(to: field)
      }
    }

    /// Called when another control has the focus; a move by the user also moves the form's focus.
    func leave(_ before: FormFocus?, for focus: FormFocus?) {
      guard let focus else {
        // The return key takes the focus away after its action has moved that of the form.
        if pursuit.field == nil, form.focusedField?.id == before?.field { form.focusedField = nil }
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

    /// Called when the form has focused another field; scrolls to its row and then focuses its
    /// control.
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

    /// Called when the issues of a refused submit are announced; moves to the first field with an error
    /// again if the form had focused it before.
    func followAnnouncement(_ scroll: ScrollViewProxy) {
      // Without such a field the focus is where the user is.
      guard let field = form.focusedField, field.issues.contains(where: \.isError) else { return }
      scroll.scrollTo(field.id)
      if focus?.field == field.id {
        focus = field.entrance
        spokenFocus = field.entrance
      } else {
        pursuit.field = field.id
        pursue()
      }
    }

    /// Called when a row has appeared.
    func arrived(_ field: FormField.ID) {
      pursuit.rows.insert(field)
      if pursuit.field == field { pursue() }
    }

    /// Sets the focus in the next turn, when a row that was scrolled to exists.
    private func pursue() {
      Task { @MainActor in
        guard let field = form.focusedField, field.id == pursuit.field else { return }
        let entrance = field.entrance
        focus = entrance
        spokenFocus = entrance
      }
    }

    /// The last field that is edited by typing.
    var lastTyped: FormField.ID? { form.fields.last { $0.isTyped }?.id }

    /// Whether the keyboard has no key that moves to the next field.
    var needsKeyboardBar: Bool {
      guard let here = form.fields.first(where: { $0.id == focus?.field }) else { return false }
      return here.isTyped && (here.kind.isMultiline || here.hasPad)
    }

    /// Whether another line of the form follows the one with the focus.
    var canGoOn: Bool { focus?.field != lastTyped || nextLine != nil }

    /// The line after that of the focused item, in the same field: for the last item, that for a new
    /// one.
    private var nextLine: FormFocus? {
      guard case .item(let id, let item)? = focus,
        let items = form.fields.first(where: { $0.id == id })?.items,
        let here = items.firstIndex(where: { $0.id == item })
      else { return nil }
      return here + 1 < items.count ? .item(id, items[here + 1].id) : .newItem(id)
    }

    /// Called when the return key, or the bar's Next button, is pressed in a field.
    func goOn() {
      if let nextLine {
        focus = nextLine
        return
      }
      let typed = form.fields.filter(\.isTyped)
      guard let here = typed.firstIndex(where: { $0.id == focus?.field }) else { return }
      if here + 1 < typed.count {
        form.focusedField = typed[here + 1]
      } else {
        submit()
      }
    }

    /// Adds the texts in the lines for new items, and submits the form.
    ///
    /// A text that can't be read has an issue and gets the focus; the form is not submitted without it.
    func submit() {
      let refused = form.fields.filter { !newItems.add(to: $0) }
      guard let first = refused.first else { return screen.submit() }
      form.focusedField = first
      // A row that is out of sight is scrolled to first.
      if pursuit.rows.contains(first.id) { focus = .newItem(first.id) }
    }
  }
#endif
