#if canImport(SwiftUI)
  public import FieldstoneCore
  import FieldstoneFields
  import FieldstoneForms
  import Foundation
  public import SwiftUI

  /// A form in SwiftUI: its sections and fields with labels, help and issues, and a button that
  /// submits it. (Seed: Mold's forms.)
  ///
  /// ```swift
  /// @State private var screen = FormScreenModel(airport.form) { try await server.save(airport) }
  /// // …
  /// FormView(screen, submit: "Save airport")
  /// ```
  ///
  /// The focus follows ``FormModel/focusedField``, and the other way round. After a refused submit
  /// the first invalid field has the focus, and the issues are announced. The return key moves to the
  /// next text field and submits in the last one; in a field of several lines it begins a new line.
  /// A keyboard without such a key has a bar with Next and Done. A tap in a row beside its controls
  /// dismisses the keyboard. Issues of no field are above the button. During a submit fields stay
  /// editable and the button is disabled. Deallocating the model cancels its submit.
  public struct FormView: View {
    let screen: FormScreenModel
    let title: Text
    let time: TimeSource

    @FocusState var focus: FormFocus?
    @AccessibilityFocusState var spokenFocus: FormFocus?
    @State var pursuit = FocusPursuit()
    @State var newItems = NewItemTexts()

    /// Makes a form's view.
    ///
    /// - Parameters:
    ///   - screen: the model with the form; store it outside the view's body, such as in a `State`.
    ///     An error of no field is shown above the button while it is in the screen's state.
    ///   - title: the title of the button; ``ScreenTexts/submit`` by default.
    ///   - time: the clock for the first value of a date.
    public init(
      _ screen: FormScreenModel, submit title: LocalizedStringKey? = nil,
      time: TimeSource = .system
    ) {
      self.screen = screen
      self.title = title.map { Text($0) } ?? Text(verbatim: ScreenTexts.current.submit)
      self.time = time
    }

    var form: FormModel { screen.form }

    /// The form.
    public var body: some View {
      ScrollViewReader { scroll in
        Form {
          sections
          submission
        }
        .formStyle(.grouped)
        .putsKeyboardAwayByScrolling()
        .keyboardBar {
          if needsKeyboardBar {
            Spacer()
            if canGoOn {
              Button(ScreenTexts.current.next) { goOn() }
            }
            Button(ScreenTexts.current.done) { focus = nil }
          }
        }
        .onSubmit(of: .text) { goOn() }
        .onChange(of: focus) { before, now in
          if let before { left(before) }
          leave(before, for: now)
        }
        .onChange(of: form.focusedField?.id, initial: true) { _, now in
          follow(now, scroll)
        }
        .onChange(of: form.beginningCount) { _, _ in newItems.removeAll() }
        .onChange(of: form.announcement) { _, now in
          if let now { Announcer.announce(now.text) }
          followAnnouncement(scroll)
        }
        .onChange(of: screen.plainError) { _, now in
          if let now { Announcer.announce(now.text) }
        }
      }
    }

    private var sections: some View {
      ForEach(form.sections) { section in
        Section {
          ForEach(section.fields) { field in
            FormFieldRow(
              field: field, messages: form.messages, isLast: field.id == lastTyped, time: time,
              focus: FormFocusBindings(keyboard: $focus, speech: $spokenFocus), newItems: newItems
            )
            .onAppear { arrived(field.id) }
            .onDisappear { pursuit.rows.remove(field.id) }
            .putsKeyboardAway(if: focus != nil) { focus = nil }
            .id(field.id)
          }
        } header: {
          if !section.title.isEmpty {
            Text(verbatim: section.title)
              .accessibilityAddTraits(.isHeader)
          }
        }
      }
    }

    /// The issues and the error of no field, and the button, which the user has just tapped.
    private var submission: some View {
      Section {
        FormIssues(issues: form.issues, name: "", messages: form.messages)
        if let error = screen.plainError {
          Label(error.text, systemImage: "exclamationmark.triangle")
            .font(.footnote)
            .foregroundStyle(.red)
        }
        Button {
          submit()
        } label: {
          HStack {
            if screen.state.isBusy {
              ProgressView()
            }
            title
          }
        }
        .disabled(form.phase.isBusy || screen.state.isBusy)
        .accessibilityLabel(title)
        .accessibilityValue(
          screen.state.isBusy ? Text(verbatim: ScreenTexts.current.submitting) : Text(verbatim: ""))
      }
    }
  }
#endif
