#if canImport(SwiftUI)
  import FieldstoneCore
  import FieldstoneFields
  import Foundation
  import SwiftUI

  extension FormView {
    /// Submits the form; the form sees to it that that is once at a time.
    func submit() {
      guard !form.phase.isBusy else { return }
      failure = nil
      // Not the view: it would keep what cancels the submit.
      running.start { [form, action, failure = $failure] in
        let outcome = await form.submit { try await action() }
        guard case .failure(let error) = outcome, !Self.isSaidElsewhere(error) else { return }
        failure.wrappedValue = error.localizedDescription
        Announcer.announce(error.localizedDescription)
      }
    }

    /// Whether the issues of the form say it already.
    private static func isSaidElsewhere(_ error: any Error) -> Bool {
      switch error {
      case FormError.invalid: true
      case let rejection as FormRejection: !rejection.issues.isEmpty
      default: false
      }
    }
  }

  /// A submit that is cancelled when nobody waits for it any more.
  @MainActor
  final class RunningSubmit {
    private var task: Task<Void, Never>?

    nonisolated init() {}

    func start(_ body: @escaping @MainActor () async -> Void) {
      task = Task { await body() }
    }

    deinit {
      task?.cancel()
    }
  }
#endif
