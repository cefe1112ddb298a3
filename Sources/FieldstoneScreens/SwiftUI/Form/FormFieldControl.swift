#if canImport(SwiftUI)
  import FieldstoneCore
  import FieldstoneFields
  import FieldstoneForms
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

    /// A date picker with a button that clears it, or a button that sets a missing date.
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
            Button(ScreenTexts.current.setDate) { field.pick(time.now) }
          } label: {
            label
          }
        }
      #endif
    }

    @ViewBuilder private var picker: some View {
      #if !os(tvOS)
        DatePicker(selection: $field.date, displayedComponents: field.dateComponents) { label }
          .dates(in: field.timeZone)
      #endif
    }

    /// A text of several lines, in which the return key begins a new line.
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

    /// Also for an empty placeholder: without a prompt the control would display its label.
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

    /// Sets the time zone of date pickers; nil leaves that of the environment.
    @ViewBuilder fileprivate func dates(in timeZone: TimeZone?) -> some View {
      if let timeZone {
        // The calendar has a time zone of its own.
        environment(\.timeZone, timeZone)
          .transformEnvironment(\.calendar) { $0.timeZone = timeZone }
      } else {
        self
      }
    }
  }

  extension FormField {
    /// Whether the field is edited by typing.
    var isTyped: Bool {
      switch kind {
      case .toggle, .choice: false
      case .date, .day, .time: !hasDates
      default: true
      }
    }

    /// The control that receives the focus; for several items, the first invalid one.
    var entrance: FormFocus {
      guard kind == .list else { return .field(id) }
      let items = items
      let item = items.first { !$0.issues.isEmpty } ?? items.first
      return item.map { .item(id, $0.id) } ?? .newItem(id)
    }

    /// The text as a Boolean value.
    var isOn: Bool {
      get { text == "true" }
      set { text = newValue ? "true" : "false" }
    }

    /// Whether its values are dates with a picker.
    var hasDates: Bool {
      #if os(tvOS)
        false
      #else
        field is Field<Date>
      #endif
    }

    /// The components of the date picker.
    #if !os(tvOS)
      var dateComponents: DatePickerComponents {
        switch kind {
        case .day: .date
        case .time: .hourAndMinute
        default: [.date, .hourAndMinute]
        }
      }
    #endif

    /// Whether the value is a date, and not nil.
    var hasDate: Bool { (field as? Field<Date>)?.value != nil }

    /// The value as a date; meaningless if there is none.
    var date: Date {
      get { (field as? Field<Date>)?.value ?? .distantPast }
      set { pick(newValue) }
    }

    func removeDate() { (field as? Field<Date>)?.set(nil, origin: .user) }

    /// The text of an item; empty if the item no longer exists.
    ///
    /// O(1) to read if the item is at the index.
    subscript(textOf item: FieldItemID, at index: Int) -> String {
      get { text(of: item, at: index) }
      set { setText(newValue, of: item) }
    }

    /// Whether the picker offers nil: it is allowed, or is the current value.
    var offersNothing: Bool { !isRequired || text.isEmpty }

    /// The current value, if it is not one of the options.
    var unknownChoice: String? {
      text.isEmpty || kind.options.contains { $0.text == text } ? nil : text
    }

    /// The hint for assistive technology: the issues, or that a value is required.
    func hint(in messages: FieldMessages) -> String {
      if issues.isEmpty {
        return isRequired && text.isEmpty ? messages.text(for: FieldIssue(code: "required")) : ""
      }
      return issues.map { messages.sentence(for: $0, name: label) }.joined(separator: "; ")
    }
  }
#endif
