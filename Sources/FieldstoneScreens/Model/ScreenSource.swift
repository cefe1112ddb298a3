import FieldstoneCore
import FieldstoneLoading
import Observation

/// The source of a screen's content.
///
/// Observation must track reads of `knowledge`, so that the screen follows its changes.
@MainActor
public protocol ScreenSource: AnyObject, Sendable {
  /// The present load status.
  var knowledge: ScreenKnowledge { get }

  /// Loads; called on the first appearance and on each refresh.
  func load()

  /// Loads again after an error or without results; by default the same as ``load()``.
  func retry()

  /// Cancels the loads of this screen.
  func cancel()
}

extension ScreenSource {
  /// Calls ``load()``.
  public func retry() { load() }
}

/// The content of an integrator.
final class IntegratorSource<Parameters: Sendable, Value: Sendable>: ScreenSource {
  private let integrator: Integrator<Parameters, Value>
  private let parameters: () -> Parameters
  private let isEmpty: (Value) -> Bool

  /// The calls of this screen; the integrator's policy decides about overlapping ones.
  private var calls: [Call<Value>] = []

  init(
    _ integrator: Integrator<Parameters, Value>, parameters: @escaping () -> Parameters,
    isEmpty: @escaping (Value) -> Bool
  ) {
    self.integrator = integrator
    self.parameters = parameters
    self.isEmpty = isEmpty
  }

  var knowledge: ScreenKnowledge {
    var known = ScreenKnowledge(integrator.phase, isEmpty: isEmpty)
    known.failure = known.error == nil ? nil : integrator.errorCount
    return known
  }

  func load() {
    calls.removeAll { $0.currentOutcome != nil }
    calls.append(integrator.call(parameters()).start())
  }

  func cancel() {
    let calls = calls
    self.calls = []
    for call in calls { call.cancel() }
  }
}

/// The content of a list.
final class ListSource<Item: Identifiable & Sendable, Cursor: Hashable & Sendable>: ScreenSource
where Item.ID: Sendable {
  private let list: PaginatedList<Item, Cursor>
  private let mode: ReloadMode
  private var calls: [ListCall] = []

  init(_ list: PaginatedList<Item, Cursor>, mode: ReloadMode) {
    self.list = list
    self.mode = mode
  }

  var knowledge: ScreenKnowledge { ScreenKnowledge(list) }

  func load() {
    keep([list.reload(mode)])
  }

  func retry() {
    let calls = list.retry()
    if !calls.isEmpty {
      keep(calls)
    } else if list.items.isEmpty, list.hasLoaded, list.hasMore, !list.refreshState.isLoading {
      // The list stopped after too many pages without items: load the page after them.
      keep([list.loadMore()])
    } else {
      load()
    }
  }

  func cancel() {
    let calls = calls
    self.calls = []
    for call in calls { call.cancel() }
  }

  private func keep(_ calls: [ListCall]) {
    self.calls.removeAll { $0.currentOutcome != nil }
    self.calls += calls
  }
}

/// The content of an asynchronous closure.
@Observable
final class ClosureSource: ScreenSource {
  private(set) var knowledge = ScreenKnowledge()

  @ObservationIgnored private let body: @MainActor () async throws -> ScreenKnowledge.Content
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private var revision = 0

  init(_ body: @escaping @MainActor () async throws -> ScreenKnowledge.Content) {
    self.body = body
  }

  func load() {
    cancel()
    knowledge.isLoading = true
    revision += 1
    task = Task { [body, revision, weak self] in
      let outcome = await Outcome(running: body)
      self?.take(outcome, of: revision)
    }
  }

  func cancel() {
    task?.cancel()
    task = nil
    // A late outcome is dropped.
    revision += 1
    knowledge.isLoading = false
  }

  private func take(_ outcome: Outcome<ScreenKnowledge.Content>, of revision: Int) {
    guard revision == self.revision else { return }
    task = nil
    knowledge.end(with: outcome)
  }
}

/// Fixed content, which is never loaded.
private final class FixedSource: ScreenSource {
  let knowledge: ScreenKnowledge

  init(_ knowledge: ScreenKnowledge) {
    self.knowledge = knowledge
  }

  func load() {}
  func cancel() {}
}

extension ScreenModel {
  /// Makes a screen with a fixed state, for previews and snapshots.
  ///
  /// ```swift
  /// #Preview { PeopleView(ScreenModel(showing: ScreenKnowledge(isLoading: true))) }
  /// ```
  ///
  /// - Parameter knowledge: the load status of its content.
  public convenience init(showing knowledge: ScreenKnowledge) {
    self.init(source: FixedSource(knowledge))
  }
}
