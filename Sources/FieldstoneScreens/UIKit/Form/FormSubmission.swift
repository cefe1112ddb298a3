#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneCore

  /// A submit that is cancelled when its holder is deallocated.
  @MainActor
  final class FormSubmission {
    private var task: Task<Void, Never>?

    func start(
      _ work: @escaping @MainActor () async -> Outcome<Void>,
      then finish: @escaping @MainActor (Outcome<Void>) -> Void
    ) {
      task = Task { [weak self] in
        let outcome = await work()
        // Released from here on, this object does not cancel what comes after.
        self?.task = nil
        if self != nil { finish(outcome) }
      }
    }

    deinit {
      task?.cancel()
    }
  }
#endif
