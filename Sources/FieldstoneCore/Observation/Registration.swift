import Synchronization

/// The token of a registration: cancel it, or release it, and nothing more is heard.
///
/// It is `Sendable` and may be released on any thread: it only leaves a note that it ended.
/// Whatever it was registered with takes the note up on its own isolation.
public final class Registration: Sendable {
  private enum Ending: Sendable {
    case note(NodeNumber, in: EndedRegistrations)
    case action(@Sendable () -> Void)
  }

  private let ending: Ending
  private let hasEnded = Atomic(false)

  /// Leaves a note when it ends.
  init(_ node: NodeNumber, noteIn ended: EndedRegistrations) {
    ending = .note(node, in: ended)
  }

  /// Does something when it ends, once, on whatever thread that is.
  package init(whenEnded action: @escaping @Sendable () -> Void) {
    ending = .action(action)
  }

  deinit {
    // Nobody else can end it any more.
    if !hasEnded.load(ordering: .acquiring) { end() }
  }

  /// Ends the registration; a no-op when it has ended.
  ///
  /// Called from within a delivery on the same thread, what is registered is not called any more,
  /// also not in that delivery.
  public func cancel() {
    if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { end() }
  }

  /// Whether it was cancelled.
  public var isCancelled: Bool {
    hasEnded.load(ordering: .acquiring)
  }

  private func end() {
    switch ending {
    case .note(let node, let ended): ended.add(node)
    case .action(let action): action()
    }
  }
}
