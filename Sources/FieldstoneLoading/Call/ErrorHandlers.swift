public import FieldstoneCore

/// Error handlers that many calls share, for example those of a whole app.
///
/// ```swift
/// let registration = ErrorHandlers.shared.add(for: HTTPStatusError.self, priority: 10) { error in
///   guard error.status == 401 else { return .passedOn }
///   showLogin()
///   return .handled
/// }
/// ```
///
/// They receive every failure of an integrator's calls, after the handlers of the integrator and of
/// the call. A call can ignore an error, or opt out. Handlers are called by descending priority,
/// then in order of registration. Handlers may register and unregister others; one that is added
/// while an error is handled does not receive that error. (Seed: IDMCore's error handling proxy.)
@MainActor
public final class ErrorHandlers: ErrorReceiver {
  private final class Entry: Sendable {
    let priority: Int
    let handle: @MainActor (any Error) -> ErrorDisposition
    let isEnded = Locked(false)

    init(priority: Int, handle: @escaping @MainActor (any Error) -> ErrorDisposition) {
      self.priority = priority
      self.handle = handle
    }

    var hasEnded: Bool { isEnded.withLock { $0 } }
  }

  private var entries: [Entry] = []

  /// The default handlers of every integrator.
  public static let shared = ErrorHandlers()

  /// Makes an empty set of handlers.
  public init() {}

  /// Adds a handler for errors of a type.
  ///
  /// - Parameters:
  ///   - type: the type of the errors.
  ///   - priority: handlers with a higher priority are called earlier.
  ///   - body: handles the error, and decides whether later handlers receive it.
  /// - Returns: the registration, to keep as long as the handler is needed.
  public func add<Failure: Error>(
    for type: Failure.Type, priority: Int = 0,
    _ body: @escaping @MainActor (Failure) -> ErrorDisposition
  ) -> Registration {
    add(priority: priority) { error in
      if let error = error as? Failure { body(error) } else { .passedOn }
    }
  }

  /// Adds a handler for all errors.
  ///
  /// - Parameters:
  ///   - priority: handlers with a higher priority are called earlier.
  ///   - body: handles the error, and decides whether later handlers receive it.
  /// - Returns: the registration, to keep as long as the handler is needed. Once it has ended, the
  ///   handler is released with the next error or the next handler that is added.
  public func add(
    priority: Int = 0, _ body: @escaping @MainActor (any Error) -> ErrorDisposition
  ) -> Registration {
    let entry = Entry(priority: priority, handle: body)
    removeEnded()
    let index = entries.firstIndex { $0.priority < priority } ?? entries.endIndex
    entries.insert(entry, at: index)
    // The token must not retain the handler, which may retain the owner of the token.
    return Registration { [isEnded = entry.isEnded] in isEnded.withLock { $0 = true } }
  }

  /// Calls the handlers, highest priority first, until one has handled the error.
  @discardableResult
  public func handle(_ error: any Error) -> ErrorDisposition {
    removeEnded()
    for entry in entries where !entry.hasEnded {
      if entry.handle(error) == .handled { return .handled }
    }
    return .passedOn
  }

  /// Passes the error to the handlers.
  public func receive(error: any Error) {
    handle(error)
  }

  /// Releases the handlers whose registrations have ended.
  private func removeEnded() {
    guard entries.contains(where: { $0.hasEnded }) else { return }
    // Released after the change: a `deinit` of what they capture may be users' code.
    let before = entries
    entries = before.filter { !$0.hasEnded }
    withExtendedLifetime(before) {}
  }
}

/// Whether later error handlers receive an error.
public enum ErrorDisposition: Sendable, Hashable {
  /// The error is handled; later handlers do not receive it.
  case handled
  /// Later handlers receive the error, too.
  case passedOn
}
