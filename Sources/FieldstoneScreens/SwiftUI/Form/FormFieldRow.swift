#if canImport(SwiftUI)
  import FieldstoneCore
  import FieldstoneFields
  import SwiftUI

  /// One field of a form: its label, its control, its help and its issues.
  struct FormFieldRow: View {
    let field: FormField
    let messages: FieldMessages
    let isLast: Bool
    let time: TimeSource
    let focus: FormFocusBindings

    /// What the return key says; among several lines it begins another one.
    private var returnKey: SubmitLabel {
      if field.kind.isMultiline { return .return }
      return isLast ? .done : .next
    }

    var body: some View {
      VStack(alignment: .leading, spacing: 4) {
        if field.isTyped {
          // The control has it as its own label, which is not shown where there is a text in it.
          Text(verbatim: field.label)
            .font(.caption)
            .foregroundStyle(.secondary)
            .accessibilityHidden(true)
        }
        if field.kind == .list {
          FormItemRows(field: field, messages: messages, focus: focus)
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

    /// The room of a control: that of several lines grows with them.
    @ViewBuilder private func room<Control: View>(
      @ViewBuilder _ control: () -> Control
    ) -> some View {
      #if os(tvOS) || os(watchOS)
        control()
      #else
        if case .multiline(let lines) = field.kind {
          ZStack(alignment: .topLeading) {
            // An editor takes the room that it gets: this text gives it as much as it needs.
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
#endif
