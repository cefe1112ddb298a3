import FieldstoneCore
import Observation

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
