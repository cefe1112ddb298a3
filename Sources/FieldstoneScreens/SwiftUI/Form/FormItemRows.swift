#if canImport(SwiftUI)
  import FieldstoneFields
  import SwiftUI

  /// The items of a field of several values: a control for each, and one to add another.
  struct FormItemRows: View {
    @Bindable var field: FormField
    let messages: FieldMessages
    let focus: FormFocusBindings

    @State private var added = ""

    var body: some View {
      VStack(alignment: .leading, spacing: 8) {
        ForEach(Array(field.items.enumerated()), id: \.element.id) { index, item in
          row(of: item, name: "\(field.label) \(index + 1)")
        }
        HStack {
          TextField(text: $added, prompt: Text(verbatim: field.placeholder)) {
            Text(verbatim: field.label)
          }
          .labelsHidden()
          .keyboard(of: field)
          .focused(focus, equals: .newItem(field.id))
          .accessibilityLabel(text(ScreenTexts.current.newItem, field.label))
          .accessibilityHint(Text(verbatim: field.hint(in: messages)))
          Button {
            add()
          } label: {
            Label(ScreenTexts.current.add, systemImage: "plus.circle")
          }
          .labelStyle(.iconOnly)
          .buttonStyle(.borderless)
          .accessibilityLabel(text(ScreenTexts.current.addTo, field.label))
        }
        // The return key adds, and does not go on to the next field.
        .onSubmit(of: .text) { add() }
        .submitScope()
      }
    }

    private func row(of item: FormItem, name: String) -> some View {
      HStack {
        TextField(text: $field[textOf: item.id], prompt: Text(verbatim: field.placeholder)) {
          Text(verbatim: name)
        }
        .labelsHidden()
        .keyboard(of: field)
        .focused(focus, equals: .item(field.id, item.id))
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

    /// Adds what was typed; it stays where it can't be read.
    private func add() {
      guard !added.isEmpty, field.appendItem(added) != nil else { return }
      added = ""
    }

    private func remove(_ item: FormItem) {
      // The focus goes with the control; the field keeps it.
      if focus.keyboard.wrappedValue == .item(field.id, item.id) {
        focus.keyboard.wrappedValue = .newItem(field.id)
      }
      field.removeItem(item.id)
    }
  }
#endif
