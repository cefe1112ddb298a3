public import FieldstoneCore
public import FieldstoneFields
public import Observation

/// What a screen with a form shows, as the form is filled in, submitted, accepted or refused.
///
/// ```swift
/// let screen = FormScreenModel(airport.form, timing: .calm) {
///   try await server.save(airport.form.json())
/// }
/// screen.submit()  // from the button
/// ```
///
/// What is invalid, and what the server refuses by a ``/FieldstoneFields/FormRejection``, stands at
/// the fields; the error itself is in ``state`` until the form is edited. Reads of ``state`` are
/// tracked. Releasing the model ends the submit that it has under way. (Seed: Mold's forms.)
@MainActor
@Observable
public final class FormScreenModel {
  /// What the screen shows now.
  public private(set) var state: FormScreenState = .editing

  /// The form that it shows.
  @ObservationIgnored public let form: FormModel

  @ObservationIgnored private let send: @MainActor () async throws -> Void
  @ObservationIgnored private let time: TimeSource
  @ObservationIgnored private var indicator: LoadingIndicatorTiming<FormScreenState>
  @ObservationIgnored private let timer = ScreenTimer()
  @ObservationIgnored private var streams = StateStreams<FormScreenState>()
  @ObservationIgnored private var task: Task<Void, Never>?

  /// Why the last submit failed, and how often the form had been edited then.
  @ObservationIgnored private var failure: (error: any Error, editCount: Int)?

  /// Makes a screen over a form.
  ///
  /// - Parameters:
  ///   - form: what is filled in.
  ///   - timing: when the screen says that it is submitting; until then it shows what it showed.
  ///   - time: what the timing goes by.
  ///   - submit: sends the values, once everything is valid; it throws
  ///     ``/FieldstoneFields/FormRejection`` to put issues at fields. It must not keep the model.
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

  /// What it shows, as an asynchronous sequence; its first element is the state as it is now.
  ///
  /// A slow consumer gets the latest state and none of those between. It ends when the model is
  /// released.
  public func states() -> AsyncStream<FormScreenState> { streams.stream(from: state) }

  /// Validates everything and then sends the values; a no-op while the form is being submitted.
  public func submit() {
    guard task == nil, !form.phase.isBusy else { return }
    task = Task { [weak self, form, send] in
      let outcome: Outcome<Void> =
        Task.isCancelled ? .cancelled(.caller) : await form.submit(send)
      self?.take(outcome)
    }
    update()
  }

  /// Ends the submit that this screen has under way; a no-op where there is none.
  ///
  /// The form can be edited and submitted again once the sending has heeded that. One that does not
  /// heed it, and succeeds, has submitted the form.
  public func cancel() {
    task?.cancel()
  }

  private func take(_ outcome: Outcome<Void>) {
    task = nil
    switch outcome {
    case .success: failure = nil
    case .failure(let error): failure = (error, form.editCount)
    case .cancelled: break
    }
    update()
  }

  /// Hears of every change of what is known.
  private func follow() {
    withObservationTracking {
      _ = (form.phase, form.editCount)
    } onChange: { [weak self] in
      // The change is about to be made: it is there in the main actor's next turn.
      Task { @MainActor in self?.follow() }
    }
    update()
  }

  private func update() {
    if let failure, failure.editCount != form.editCount { self.failure = nil }
    let known = FormScreenState(task == nil ? form.phase : .submitting, error: failure?.error)
    let next = indicator.update(known, isLoading: known.isBusy, at: time.uptime)
    switch (state, indicator.shown) {
    // With every key that is pressed nothing changes.
    case (.editing, .editing), (.submitting, .submitting), (.submitted, .submitted): break
    default:
      state = indicator.shown
      streams.tell(state)
    }
    timer.set(next, time: time) { [weak self] in self?.update() }
  }
}
