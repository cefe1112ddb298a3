public import FieldstoneCore

/// Error handlers that many calls share, say those of a whole app.
///
/// ```swift
/// let registration = ErrorHandlers.shared.add(for: HTTPStatusError.self, priority: 10) { error in
///   guard error.status == 401 else { return .passedOn }
///   showLogin()
///   return .handled
/// }
/// ```
///
/// They get every failure of an integrator's calls, after the handlers of the integrator and of the
/// call. A call can ignore an error, or ask to be left out. The highest priority comes first, and
/// among equals the one registered first. Handlers may register and unregister others; one that is
/// added while an error is handled does not get that error. (Seed: IDMCore's error handling proxy.)
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

  /// The handlers of every integrator that was not given others.
  public static let shared = ErrorHandlers()

  /// Makes an empty set of handlers.
  public init() {}

  /// Adds a handler for errors of a type.
  ///
  /// - Parameters:
  ///   - type: the type of its errors.
  ///   - priority: the higher, the earlier it is called.
  ///   - body: handles the error, and says whether later handlers get it.
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
  ///   - priority: the higher, the earlier it is called.
  ///   - body: handles the error, and says whether later handlers get it.
  /// - Returns: the registration, to keep as long as the handler is needed.
  public func add(
    priority: Int = 0, _ body: @escaping @MainActor (any Error) -> ErrorDisposition
  ) -> Registration {
    let entry = Entry(priority: priority, handle: body)
    entries.removeAll { $0.hasEnded }
    let index = entries.firstIndex { $0.priority < priority } ?? entries.endIndex
    entries.insert(entry, at: index)
    return Registration { entry.isEnded.withLock { $0 = true } }
  }

  /// Asks the handlers, the highest priority first, until one has handled the error.
  @discardableResult
  public func handle(_ error: any Error) -> ErrorDisposition {
    for entry in entries where !entry.hasEnded {
      if entry.handle(error) == .handled { return .handled }
    }
    return .passedOn
  }

  /// Asks the handlers.
  public func receive(error: any Error) {
    handle(error)
  }
}

/// Whether an error handler leaves an error to those after it.
public enum ErrorDisposition: Sendable, Hashable {
  /// The error is handled: later handlers do not get it.
  case handled
  /// Later handlers get the error, too.
  case passedOn
}
