#if canImport(SwiftUI)
  public import FieldstoneCore
  public import FieldstoneFields
  import Foundation
  public import SwiftUI

  /// A form in SwiftUI: its sections and fields with labels, help and issues, and a button that
  /// submits it. (Seed: Mold's forms.)
  ///
  /// ```swift
  /// FormView(airport.form, submit: "Save airport") {
  ///   try await server.save(airport)
  /// }
  /// ```
  ///
  /// The focus follows ``FormModel/focusedField`` and the other way round; after a submit that was
  /// refused it is at the first invalid field, and what is wrong is announced. The return key goes
  /// to the next field that is typed into, and submits in the last one. Fields stay editable while
  /// the values are on their way, as the form allows; the button does not. When the view goes for good, a submit that is under way is cancelled.
  public struct FormView: View {
    let form: FormModel
    let title: LocalizedStringKey
    let time: TimeSource
    let action: @MainActor () async throws -> Void

    @FocusState var focus: FormFocus?
    @AccessibilityFocusState var spokenFocus: FormField.ID?
    @State var failure: String?
    @State var running = RunningSubmit()

    /// Makes a form's view.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - title: what the button says.
    ///   - time: what a date begins with that is set for the first time.
    ///   - action: sends the values; it throws ``FormRejection`` to put issues at fields. Any other
    ///     error is shown above the button until the form is edited or submitted again.
    public init(
      _ form: FormModel, submit title: LocalizedStringKey = "Save", time: TimeSource = .system,
      action: @escaping @MainActor () async throws -> Void
    ) {
      self.form = form
      self.title = title
      self.time = time
      self.action = action
    }

    /// The form.
    public var body: some View {
      ScrollViewReader { scroll in
        Form {
          issues
          sections
          submission
        }
        .formStyle(.grouped)
        .onSubmit(of: .text) { goOn() }
        .onChange(of: focus) { _, now in leave(for: now) }
        .onChange(of: form.focusedField?.id, initial: true) { _, now in
          follow(now)
          if let now { scroll.scrollTo(now) }
        }
        .onChange(of: form.announcement) { _, now in
          if let now { Announcer.announce(now.text) }
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
              focus: $focus
            )
            .accessibilityFocused($spokenFocus, equals: field.id)
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
          FormFailure(message: failure)
            .onChange(of: form.fields.map(\.text)) { self.failure = nil }
        }
        Button {
          submit()
        } label: {
          HStack {
            if form.phase.isBusy {
              ProgressView()
            }
            Text(title)
          }
        }
        .disabled(form.phase.isBusy)
        .accessibilityLabel(Text(title))
        .accessibilityValue(form.phase.isBusy ? Text("Submitting…") : Text(verbatim: ""))
      }
    }
  }
#endif
