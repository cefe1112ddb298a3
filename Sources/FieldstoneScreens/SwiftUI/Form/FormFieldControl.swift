#if canImport(SwiftUI)
  import FieldstoneCore
  import FieldstoneFields
  import Foundation
  import SwiftUI

  /// The control of a field that has one control.
  struct FormFieldControl: View {
    @Bindable var field: FormField
    let time: TimeSource
    let focus: FormFocusBindings

    var body: some View {
      control
        .labelsHidden(field.isTyped)
        .keyboard(of: field)
        .focused(focus, equals: .field(field.id))
    }

    @ViewBuilder private var control: some View {
      switch field.kind {
      case .toggle:
        Toggle(isOn: $field.isOn) { label }
      case .choice(let options):
        Picker(selection: $field.text) {
          if field.offersNothing {
            Text(verbatim: ScreenTexts.current.noChoice).tag("")
          }
          if let unknown = field.unknownChoice {
            Text(verbatim: unknown).tag(unknown)
          }
          ForEach(options) { option in
            Text(verbatim: option.label).tag(option.text)
          }
        } label: {
          label
        }
      case .secure:
        SecureField(text: $field.text, prompt: prompt) { label }
      case .multiline(let lines): box(lines)
      case .date where field.hasDates, .day where field.hasDates, .time where field.hasDates: date
      default:
        TextField(text: $field.text, prompt: prompt) { label }
      }
    }

    /// A date, or none: there is no picker for that.
    @ViewBuilder private var date: some View {
      #if !os(tvOS)
        if field.hasDate {
          HStack {
            picker
            if !field.isRequired {
              Button {
                field.removeDate()
              } label: {
                Label(ScreenTexts.current.clear, systemImage: "xmark.circle")
              }
              .labelStyle(.iconOnly)
              .buttonStyle(.borderless)
              .accessibilityLabel(
                Text(verbatim: ScreenTexts.put(field.label, into: ScreenTexts.current.clearField)))
            }
          }
        } else {
          LabeledContent {
            Button(ScreenTexts.current.setDate) { field.date = time.now }
          } label: {
            label
          }
        }
      #endif
    }

    @ViewBuilder private var picker: some View {
      #if !os(tvOS)
        DatePicker(selection: $field.date, displayedComponents: field.dateComponents) { label }
      #endif
    }

    /// Several lines, in which the return key begins another one.
    @ViewBuilder private func box(_ lines: Int) -> some View {
      #if os(tvOS) || os(watchOS)
        TextField(text: $field.text, prompt: prompt, axis: .vertical) { label }
          .lineLimit(lines...)
          .submitScope()
      #else
        TextEditor(text: $field.text)
          .scrollContentBackground(.hidden)
      #endif
    }

    private var label: Text { Text(verbatim: field.label) }

    /// Also where it is empty: else the label would stand in its place.
    private var prompt: Text { Text(verbatim: field.placeholder) }
  }

  extension View {
    /// Hides the labels of controls whose label is shown above them.
    @ViewBuilder fileprivate func labelsHidden(_ isHidden: Bool) -> some View {
      if isHidden {
        labelsHidden()
      } else {
        self
      }
    }
  }
#endif
