public import FieldstoneCore
public import Observation

/// Loads values for screens from a provider, with a policy for overlapping calls.
///
/// ```swift
/// let users = Integrator(provider: UserSearch(), model: Users.self, policy: .latest)
///
/// users.call("apple").onSuccess { table.show($0) }.onError { banner.show($0) }.start()
/// let apples = try await users("apple")  // the same call
/// ```
///
/// Loads run and models are built off the main actor; handlers and ``phase`` are on it. Releasing
/// the integrator cancels its calls as released. Reads of ``phase`` are tracked. Starting or ending
/// a call is O(1), for any number of calls under way. (Seed: IDMCore's integrator.)
@MainActor
public final class Integrator<Parameters: Sendable, Value: Sendable>: Observable {
  let center: CallCoordinator
  private let policy: CallPolicy<Parameters>
  private let makeLoad: @Sendable (Parameters) -> CallWork.Load

  private init(
    policy: CallPolicy<Parameters>, origin: Any.Type, errorHandlers: ErrorHandlers,
    time: TimeSource, makeLoad: @escaping @Sendable (Parameters) -> CallWork.Load
  ) {
    center = CallCoordinator(
      rule: policy.rule, origin: origin, errorHandlers: errorHandlers, time: time)
    self.policy = policy
    self.makeLoad = makeLoad
    center.owner = ObjectIdentifier(self)
  }

  /// Makes an integrator whose values are the provider's outputs.
  ///
  /// - Parameters:
  ///   - provider: the source of the values.
  ///   - policy: the rule for overlapping calls.
  ///   - errorHandlers: the handlers of failures, called after the handlers of the call.
  ///   - time: the clock for delays, debounces and retries.
  public convenience init<Provider: DataProvider>(
    provider: Provider, policy: CallPolicy<Parameters> = .concurrent,
    errorHandlers: ErrorHandlers = .shared, time: TimeSource = .system
  ) where Provider.Parameters == Parameters, Provider.Output == Value {
    self.init(
      policy: policy, origin: Provider.self, errorHandlers: errorHandlers, time: time
    ) { parameters in
      { report in
        Loaded(try await provider.load(parameters, reporting: LoadEvents(report)))
      }
    }
  }

  /// Makes an integrator whose values are models, built off the main actor from the provider's
  /// outputs.
  ///
  /// An error of a model's initialiser fails the call; an early value that makes no model is
  /// skipped.
  ///
  /// - Parameters:
  ///   - provider: the source of the data.
  ///   - model: the type to build from the data.
  ///   - policy: the rule for overlapping calls.
  ///   - errorHandlers: the handlers of failures, called after the handlers of the call.
  ///   - time: the clock for delays, debounces and retries.
  public convenience init<Provider: DataProvider>(
    provider: Provider, model: Value.Type, policy: CallPolicy<Parameters> = .concurrent,
    errorHandlers: ErrorHandlers = .shared, time: TimeSource = .system
  ) where Provider.Parameters == Parameters, Value: DataModel, Provider.Output == Value.Source {
    self.init(
      policy: policy, origin: Provider.self, errorHandlers: errorHandlers, time: time
    ) { parameters in
      { report in
        let early = EarlyModels<Value>(LoadEvents(report))
        let source = try await provider.load(parameters, reporting: early.sourceEvents)
        return Loaded(try Value(source: source))
      }
    }
  }

  deinit {
    MainDispatch.inPlaceOrLater { [center] in center.release() }
  }

  /// The loading phase, for screens to show.
  ///
  /// With several calls under way it shows the value and the error of the call that began last.
  public var phase: LoadPhase<Value> {
    switch center.phase {
    case .idle: .idle
    case .loading(let previous): .loading(previous: previous?.value(as: Value.self))
    case .loaded(let loaded): .loaded(loaded.value(as: Value.self))
    case .failed(let error, let previous):
      .failed(error, previous: previous?.value(as: Value.self))
    }
  }

  /// The handlers of every call, which run before the call's own.
  public var defaultHandlers: CallHandlers<Value> {
    get {
      var handlers = CallHandlers<Value>()
      handlers.list = center.defaultHandlers
      return handlers
    }
    set { center.defaultHandlers = newValue.list }
  }

  /// The retry policy of every call; nil unless set.
  ///
  /// A call's own policy (``CallBuilder/retry(_:)``) overrides it. Calls that share a load by
  /// `.only(.join)` share these retries, too. It applies to calls that are started from then on.
  /// (Seed: IDMCore's retry of an integrator.)
  public var retry: RetryPolicy? {
    get { center.defaults?.values.retry }
    set { center.defaults = newValue.map { CallOptions(CallOptions.Values(retry: $0)) } }
  }

  /// Prepares a call.
  public func call(_ parameters: Parameters) -> CallBuilder<Value> {
    CallBuilder(
      center: center, key: policy.key.map { $0(parameters) },
      parameters: center.notesParameters ? parameters : nil, load: makeLoad(parameters))
  }

  /// Whether calls that are prepared from now on pass their parameters to observers of activities;
  /// false at first.
  package var notesParameters: Bool {
    get { center.notesParameters }
    set { center.notesParameters = newValue }
  }

  /// The parameters of the last call that was started while the integrator noted them; nil if there
  /// was none.
  package var lastParameters: Parameters? { center.lastParameters as? Parameters }

  /// Cancels the call that observers of activities know by a number; O(calls under way).
  ///
  /// - Returns: whether there was one.
  package func cancelCall(activity: Int) -> Bool { center.cancel(activity: activity, .caller) }

  /// The number of the newest error, which local changes leave as it is.
  package var errorCount: Int { center.errorCount }

  /// The number of local changes that can still be confirmed or rolled back, and of confirmed ones
  /// that no loaded value includes yet; O(n) in their number.
  package var changeCounts: (pending: Int, confirmed: Int) { center.changeCounts }

  /// Observes local changes from now on, on the main actor, after each has taken effect.
  ///
  /// From then on the values around the last changes are kept while these wait.
  ///
  /// - Returns: the registration, to keep as long as changes are needed.
  package func observeChanges(_ body: @escaping @MainActor (ChangeEvent) -> Void) -> Registration {
    center.observeChanges(body)
  }

  /// The last local changes that no loaded value includes, with the values before and after each,
  /// the oldest first; empty unless changes are observed.
  package var notedChanges: [NotedChange<Value>] {
    center.notedChanges.map { step in
      NotedChange(
        id: step.id, isConfirmed: step.isConfirmed, old: step.old.value(as: Value.self),
        new: step.new.value(as: Value.self))
    }
  }

  /// Makes a call and waits for its value; cancelling the task cancels the call.
  ///
  /// - Throws: the error of a failure; `CancellationError` if the task was cancelled;
  ///   ``/FieldstoneCore/CallCancelled`` if the call was cancelled otherwise.
  public func callAsFunction(_ parameters: Parameters) async throws -> Value {
    // The integrator must stay alive while a caller waits for it.
    defer { withExtendedLifetime(self) {} }
    return try await call(parameters).run()
  }

  /// Cancels all calls, including waiting ones, in O(n log n) of their number.
  public func cancelAll() {
    center.cancelAll(.caller)
  }
}

extension Integrator where Parameters == Void {
  /// Prepares a call.
  public func call() -> CallBuilder<Value> {
    call(())
  }

  /// Makes a call and waits for its value; cancelling the task cancels the call.
  ///
  /// - Throws: the error of a failure; `CancellationError` if the task was cancelled;
  ///   ``/FieldstoneCore/CallCancelled`` if the call was cancelled otherwise.
  public func callAsFunction() async throws -> Value {
    try await self(())
  }
}

extension LoadEvents {
  /// Reports to a call.
  fileprivate init(_ report: @escaping CallWork.Report) {
    self.init(
      onProgress: { report(.progress($0)) },
      onEarlyValue: { report(.earlyValue(Loaded($0))) })
  }
}

/// An integrator as the provider of another one.
///
/// Progress and early values are passed on, and a cancelled load cancels the call. A call that is
/// cancelled as superseded, busy or released cancels the outer one, too.
struct IntegratorProvider<Parameters: Sendable, Value: Sendable>: DataProvider {
  private let integrator: Integrator<Parameters, Value>

  init(_ integrator: Integrator<Parameters, Value>) {
    self.integrator = integrator
  }

  /// Makes a call and waits for its value.
  ///
  /// - Throws: the errors of ``Integrator/callAsFunction(_:)``.
  @concurrent
  func load(
    _ parameters: Parameters, reporting events: LoadEvents<Value>
  ) async throws -> Value {
    try await integrator.call(parameters)
      .onProgress { events.progress($0) }
      .onEarlyValue { events.early($0) }
      .run()
  }
}

extension Integrator {
  /// This integrator as a provider, which retains it.
  public func asProvider() -> some DataProvider<Parameters, Value> {
    IntegratorProvider(self)
  }
}

/// Builds models from early values, off the main actor and in order.
final class EarlyModels<Model: DataModel>: Sendable {
  private let events: LoadEvents<Model>

  private struct Building {
    /// Builds models of reports that were made on the main actor, and of those that follow them.
    var task: Task<Void, Never>?
    var waitingCount = 0
  }

  private let building = Locked(Building())

  init(_ events: LoadEvents<Model>) {
    self.events = events
  }

  var sourceEvents: LoadEvents<Model.Source> {
    LoadEvents(
      onProgress: { self.events.progress($0) },
      onEarlyValue: { self.take($0) })
  }

  private func take(_ source: Model.Source) {
    let isLater = building.withLock { building in
      guard MainDispatch.isOnMain || building.waitingCount > 0 else { return false }
      building.waitingCount += 1
      building.task = Task { @concurrent [previous = building.task] in
        await previous?.value
        self.build(source)
        self.building.withLock { $0.waitingCount -= 1 }
      }
      return true
    }
    if !isLater { build(source) }
  }

  private func build(_ source: Model.Source) {
    if let model = try? Model(source: source) { events.early(model) }
  }
}
