import FieldstoneCore
import FieldstoneLoading
import Observation

/// Where a screen's content comes from.
///
/// Reads of `knowledge` are to be tracked by Observation, so that the screen follows.
@MainActor
public protocol ScreenSource: AnyObject, Sendable {
  /// What is known now.
  var knowledge: ScreenKnowledge { get }

  /// Loads, or loads again; called on first appearance and on refresh.
  func load()

  /// Tries again what has failed or has brought nothing; does the same as ``load()`` unless told
  /// otherwise.
  func retry()

  /// Ends what this screen has under way.
  func cancel()
}

extension ScreenSource {
  /// Does the same as ``load()``.
  public func retry() { load() }
}

/// A screen over an integrator, with the parameters of its calls.
final class IntegratorSource<Parameters: Sendable, Value: Sendable>: ScreenSource {
  private let integrator: Integrator<Parameters, Value>
  private let parameters: () -> Parameters
  private let isEmpty: (Value) -> Bool

  /// Those of this screen that are under way; what becomes of overlapping ones is the integrator's
  /// policy.
  private var calls: [Call<Value>] = []

  init(
    _ integrator: Integrator<Parameters, Value>, parameters: @escaping () -> Parameters,
    isEmpty: @escaping (Value) -> Bool
  ) {
    self.integrator = integrator
    self.parameters = parameters
    self.isEmpty = isEmpty
  }

  var knowledge: ScreenKnowledge { ScreenKnowledge(integrator.phase, isEmpty: isEmpty) }

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

/// A screen over a list, with the calls that it has made.
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
      // Pages without items were passed over, until there were too many: it goes on after them.
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

/// A screen over an asynchronous closure, which tells what it has loaded.
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
    // What comes late is dropped.
    revision += 1
    knowledge.isLoading = false
  }

  private func take(_ outcome: Outcome<ScreenKnowledge.Content>, of revision: Int) {
    guard revision == self.revision else { return }
    task = nil
    knowledge.end(with: outcome)
  }
}

/// A screen that shows what it was told, and loads nothing.
private final class FixedSource: ScreenSource {
  let knowledge: ScreenKnowledge

  init(_ knowledge: ScreenKnowledge) {
    self.knowledge = knowledge
  }

  func load() {}
  func cancel() {}
}

extension ScreenModel {
  /// Makes a screen that shows one state for ever, for previews and pictures of its views.
  ///
  /// ```swift
  /// #Preview { PeopleView(ScreenModel(showing: ScreenKnowledge(isLoading: true))) }
  /// ```
  ///
  /// - Parameter knowledge: what is known of its content.
  public convenience init(showing knowledge: ScreenKnowledge) {
    self.init(source: FixedSource(knowledge))
  }
}
