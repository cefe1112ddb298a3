import FieldstoneCore

/// Calls back at a time, unless it is set to another one first.
@MainActor
final class ScreenTimer {
  private var deadline: Duration?
  private var task: Task<Void, Never>?

  func set(_ deadline: Duration?, time: TimeSource, body: @escaping @MainActor () -> Void) {
    guard deadline != self.deadline else { return }
    task?.cancel()
    task = nil
    self.deadline = deadline
    guard let deadline else { return }
    task = Task { [weak self] in
      guard (try? await time.sleep(untilUptime: deadline)) != nil, !Task.isCancelled else { return }
      self?.deadline = nil
      self?.task = nil
      body()
    }
  }

  deinit {
    task?.cancel()
  }
}
