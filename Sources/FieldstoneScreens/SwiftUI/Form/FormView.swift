#if canImport(SwiftUI)
  public import FieldstoneCore
  import FieldstoneFields
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
  /// The focus follows ``FormModel/focusedField`` and the other way round; after a submit that was
  /// refused it is at the first invalid field, and what is wrong is announced. The return key goes
  /// to the next field that is typed into, and submits in the last one; among several lines it
  /// begins another one. Above a keyboard without such a key there is a bar with Next and Done, and
  /// a tap beside the controls puts the keyboard away. Fields stay editable while
  /// the values are on their way, as the form allows; the button does not. When the model goes, so does a submit that it has under way.
  public struct FormView: View {
    let screen: FormScreenModel
    let title: Text
    let time: TimeSource

    @FocusState var focus: FormFocus?
    @AccessibilityFocusState var spokenFocus: FormFocus?
    @State var pursuit = FocusPursuit()

    /// Makes a form's view.
    ///
    /// - Parameters:
    ///   - screen: the form, and what submits it; keep it where the view is made, as in a `State`.
    ///     An error that no field is to blame for is shown above the button, as long as it is in the
    ///     screen's state.
    ///   - title: what the button says; the word of ``ScreenTexts`` unless given.
    ///   - time: what a date begins with that is set for the first time.
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
          issues
          sections
          submission
        }
        .formStyle(.grouped)
        .putsKeyboardAwayByScrolling()
        .keyboardBar {
          if needsKeyboardBar {
            Spacer()
            if focus?.field != lastTyped {
              Button(ScreenTexts.current.next) { goOn() }
            }
            Button(ScreenTexts.current.done) { focus = nil }
          }
        }
        .onSubmit(of: .text) { goOn() }
        .onChange(of: focus) { _, now in leave(for: now) }
        .onChange(of: form.focusedField?.id, initial: true) { _, now in
          follow(now, scroll)
        }
        .onChange(of: form.announcement) { _, now in
          if let now { Announcer.announce(now.text) }
        }
        .onChange(of: failure) { _, now in
          if let now { Announcer.announce(now) }
        }
      }
    }

    /// What is wrong and belongs to no field.
    @ViewBuilder private var issues: some View {
      if !form.issues.isEmpty {
        Section {
          FormIssues(issues: form.issues, name: "", messages: form.messages)
        }
      }
    }

    private var sections: some View {
      ForEach(form.sections) { section in
        Section {
          ForEach(section.fields) { field in
            FormFieldRow(
              field: field, messages: form.messages, isLast: field.id == lastTyped, time: time,
              focus: FormFocusBindings(keyboard: $focus, speech: $spokenFocus)
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

    private var submission: some View {
      Section {
        if let failure {
          Label(failure, systemImage: "exclamationmark.triangle")
            .font(.footnote)
            .foregroundStyle(.red)
        }
        Button {
          screen.submit()
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

    /// Why it was not submitted, where no issue of the form says it.
    private var failure: String? {
      switch screen.state.error {
      case nil, FormError.invalid?: nil
      case let rejection as FormRejection where !rejection.issues.isEmpty: nil
      case let error?: error.localizedDescription
      }
    }
  }
#endif
