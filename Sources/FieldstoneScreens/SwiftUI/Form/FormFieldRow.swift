#if canImport(SwiftUI)
  import FieldstoneCore
  import FieldstoneFields
  import FieldstoneForms
  import SwiftUI

  /// One field of a form: its label, its control, its help and its issues.
  struct FormFieldRow: View {
    let field: FormField
    let messages: FieldMessages
    let isLast: Bool
    let time: TimeSource
    let focus: FormFocusBindings
    let newItems: NewItemTexts

    /// The label of the return key, which begins a new line in a field of several lines.
    private var returnKey: SubmitLabel {
      if field.kind.isMultiline { return .return }
      return isLast ? .done : .next
    }

    var body: some View {
      VStack(alignment: .leading, spacing: 4) {
        if field.isTyped {
          // The control has the same label, but does not display it once there is a text.
          Text(verbatim: field.label)
            .font(.caption)
            .foregroundStyle(.secondary)
            .accessibilityHidden(true)
        }
        if field.kind == .list {
          FormItemRows(field: field, messages: messages, focus: focus, newItems: newItems)
        } else {
          room {
            FormFieldControl(field: field, time: time, focus: focus)
              .submitLabel(returnKey)
              .accessibilityLabel(Text(verbatim: field.label))
              .accessibilityHint(Text(verbatim: field.hint(in: messages)))
          }
        }
        if !field.help.isEmpty {
          Text(verbatim: field.help)
            .font(.footnote)
            .foregroundStyle(.secondary)
        }
        FormIssues(issues: field.issues, name: field.label, messages: messages)
      }
    }

    /// The space of a control; that of several lines grows with the text.
    @ViewBuilder private func room<Control: View>(
      @ViewBuilder _ control: () -> Control
    ) -> some View {
      #if os(tvOS) || os(watchOS)
        control()
      #else
        if case .multiline(let lines) = field.kind {
          ZStack(alignment: .topLeading) {
            // An editor fills the space that it gets: this text gives it as much as it needs.
            Text(verbatim: field.text.isEmpty ? field.placeholder : field.text + " ")
              .foregroundStyle(.secondary)
              .opacity(field.text.isEmpty ? 1 : 0)
              .lineLimit(lines...)
              .padding(.vertical, 8)
              .padding(.horizontal, 5)
              .accessibilityHidden(true)
            control()
          }
        } else {
          control()
        }
      #endif
    }
  }

  /// The items of a field of several values: a control for each, and one for a new item.
  struct FormItemRows: View {
    @Bindable var field: FormField
    let messages: FieldMessages
    let focus: FormFocusBindings
    @Bindable var newItems: NewItemTexts

    var body: some View {
      VStack(alignment: .leading, spacing: 8) {
        ForEach(Array(field.items.enumerated()), id: \.element.id) { index, item in
          row(of: item, at: index, name: "\(field.label) \(index + 1)")
        }
        HStack {
          line($newItems[field.id], name: field.label, equals: .newItem(field.id))
            .accessibilityLabel(text(ScreenTexts.current.newItem, field.label))
            .accessibilityHint(Text(verbatim: field.hint(in: messages)))
          Button {
            newItems.add(to: field)
          } label: {
            Label(ScreenTexts.current.add, systemImage: "plus.circle")
          }
          .labelStyle(.iconOnly)
          .buttonStyle(.borderless)
          .accessibilityLabel(text(ScreenTexts.current.addTo, field.label))
        }
        .onChange(of: newItems[field.id]) { _, text in field.typeNewItem(text) }
        // The return key adds the item, instead of moving to the next field.
        .onSubmit(of: .text) { addByReturnKey() }
        .submitScope()
      }
    }

    /// Adds the typed item; the keyboard stays for the next one, or for a text that can't be read.
    private func addByReturnKey() {
      newItems.add(to: field)
      // The key takes the focus away after its action.
      Task { @MainActor [focus, id = field.id] in
        if focus.keyboard.wrappedValue == nil { focus.keyboard.wrappedValue = .newItem(id) }
      }
    }

    /// The control of an item, or of a new one.
    private func line(
      _ typed: Binding<String>, name: String, equals control: FormFocus
    ) -> some View {
      plainLine(typed, name: name)
        .labelsHidden()
        .keyboard(of: field)
        .focused(focus, equals: control)
    }

    @ViewBuilder private func plainLine(_ typed: Binding<String>, name: String) -> some View {
      let prompt = Text(verbatim: field.placeholder)
      if field.itemKind.isSecure {
        SecureField(text: typed, prompt: prompt) { Text(verbatim: name) }
      } else {
        TextField(text: typed, prompt: prompt) { Text(verbatim: name) }
      }
    }

    private func row(of item: FormItem, at index: Int, name: String) -> some View {
      HStack {
        line($field[textOf: item.id, at: index], name: name, equals: .item(field.id, item.id))
          .accessibilityLabel(Text(verbatim: name))
          .accessibilityHint(Text(verbatim: hint(of: item, name: name)))
        if !item.issues.isEmpty {
          Image(systemName: "exclamationmark.circle")
            .foregroundStyle(.red)
            .accessibilityHidden(true)
        }
        Button(role: .destructive) {
          remove(item)
        } label: {
          Label(ScreenTexts.current.remove, systemImage: "minus.circle")
        }
        .labelStyle(.iconOnly)
        .buttonStyle(.borderless)
        .accessibilityLabel(text(ScreenTexts.current.removeItem, name))
      }
    }

    private func hint(of item: FormItem, name: String) -> String {
      item.issues.map { messages.sentence(for: $0, name: name) }.joined(separator: "; ")
    }

    private func text(_ phrase: String, _ name: String) -> Text {
      Text(verbatim: ScreenTexts.put(name, into: phrase))
    }

    private func remove(_ item: FormItem) {
      // The removed control loses the focus; the field keeps it.
      if focus.keyboard.wrappedValue == .item(field.id, item.id) {
        focus.keyboard.wrappedValue = .newItem(field.id)
      }
      field.removeItem(item.id)
    }
  }

  /// The issues, each with a symbol, as colour alone is not accessible.
  struct FormIssues: View {
    let issues: [FieldIssue]
    let name: String
    let messages: FieldMessages

    var body: some View {
      ForEach(Array(issues.enumerated()), id: \.offset) { _, issue in
        Label(
          messages.sentence(for: issue, name: name),
          systemImage: issue.isError ? "exclamationmark.circle" : "exclamationmark.triangle"
        )
        .font(.footnote)
        .foregroundStyle(issue.isError ? Color.red : Color.orange)
      }
    }
  }
#endif
