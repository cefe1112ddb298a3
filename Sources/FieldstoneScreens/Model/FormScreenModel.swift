public import FieldstoneCore
public import FieldstoneForms
import Foundation
public import Observation

/// The model of a screen with a form, from editing to the end of a submit.
///
/// ```swift
/// let screen = FormScreenModel(airport.form, timing: .calm) {
///   try await server.save(airport.form.json())
/// }
/// screen.submit()  // from the button
/// ```
///
/// The fields show their issues, also those of a server's ``/FieldstoneForms/FormRejection``. The
/// error itself is in ``state`` until the form is edited. Reads of ``state`` are tracked.
/// Deallocating the model cancels its submit. (Seed: Mold's forms.)
@MainActor
@Observable
public final class FormScreenModel {
  /// The present state.
  public private(set) var state: FormScreenState = .editing

  /// The form.
  @ObservationIgnored public let form: FormModel

  @ObservationIgnored private let send: @MainActor () async throws -> Void
  @ObservationIgnored private let time: TimeSource
  @ObservationIgnored private var indicator: LoadingIndicatorTiming<FormScreenState>
  @ObservationIgnored private let timer = ScreenTimer()
  @ObservationIgnored private var streams = StateStreams<FormScreenState>()
  /// The submit under way, kept to cancel it; how it ends is the outcome of ``FormModel/submit(_:)``.
  @ObservationIgnored private var task: Task<Void, Never>?

  /// The error of the last submit, and the form's edit count then.
  @ObservationIgnored private var failure: (error: any Error, editCount: Int)?

  /// Whether issues of the form show the error of the last submit that failed.
  @ObservationIgnored private var isShownByForm = false

  /// The number of submits that failed.
  @ObservationIgnored private var failureCount = 0

  /// Makes a screen over a form.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - timing: the delay and minimum time of the submitting state.
  ///   - time: the clock of the timing.
  ///   - submit: sends the valid values. It throws ``/FieldstoneForms/FormRejection`` to add issues
  ///     to fields. It must not retain the model.
  public init(
    _ form: FormModel, timing: LoadingTiming = .immediate, time: TimeSource = .system,
    submit: @escaping @MainActor () async throws -> Void
  ) {
    self.form = form
    self.time = time
    send = submit
    indicator = LoadingIndicatorTiming(timing, showing: .editing)
    follow()
  }

  deinit {
    task?.cancel()
    streams.finish()
  }

  /// The states as an asynchronous sequence, beginning with the present one.
  ///
  /// A slow consumer gets only the latest state. One on the main actor takes a state that is there
  /// without leaving the actor. The sequence ends when the model is deallocated.
  public func states() -> some AsyncSequence<FormScreenState, Never> & Sendable {
    streams.stream(from: state)
  }

  /// The error in the state, unless issues of the form show it.
  package var plainError: FormScreenError? {
    guard !isShownByForm, let error = state.error else { return nil }
    return FormScreenError(number: failureCount, text: error.localizedDescription)
  }

  /// Validates the form, then sends the values; a no-op while the form is being submitted.
  public func submit() {
    guard task == nil, !form.phase.isBusy else { return }
    let filling = form.fillingCount
    task = Task { [weak self, form, send] in
      let outcome: Outcome<Void> =
        Task.isCancelled ? .cancelled(.caller) : await form.submit(send)
      self?.take(outcome, filling: filling)
    }
    update()
  }

  /// Cancels the submit of this screen; a no-op without one.
  ///
  /// The form can be edited and submitted again once the running `submit` closure has ended. A
  /// closure that ignores its cancellation and succeeds has submitted the form.
  public func cancel() {
    task?.cancel()
  }

  private func take(_ outcome: Outcome<Void>, filling: Int) {
    task = nil
    switch outcome {
    case .success: failure = nil
    // It is of values that the form no longer has.
    case .failure where form.fillingCount != filling: failure = nil
    case .failure(let error):
      failure = (error, form.editCount)
      failureCount += 1
      isShownByForm = form.shows(error)
    case .cancelled: break
    }
    update()
  }

  /// Observes the form.
  private func follow() {
    withObservationTracking {
      _ = (form.phase, form.editCount)
    } onChange: { [weak self] in
      // The change is made after this, before the main actor's next job.
      Task { @MainActor in self?.follow() }
    }
    update()
  }

  private func update() {
    if let failure, failure.editCount != form.editCount { self.failure = nil }
    let known = FormScreenState(task == nil ? form.phase : .submitting, error: failure?.error)
    let next = indicator.update(known, isLoading: known.isBusy, at: time.uptime)
    switch (state, indicator.shown) {
    // An error that stays during the delay is not told again.
    case _ where !indicator.isTaken: break
    // Most key strokes change nothing.
    case (.editing, .editing), (.submitting, .submitting), (.submitted, .submitted): break
    default:
      state = indicator.shown
      streams.tell(state)
    }
    timer.set(next, time: time) { [weak self] in self?.update() }
  }
}

/// An error of a submit that a form's view shows as a text.
package struct FormScreenError: Equatable {
  /// The number of the submit among those that failed: the same text may be told again.
  package let number: Int
  /// The error's description.
  package let text: String
}
