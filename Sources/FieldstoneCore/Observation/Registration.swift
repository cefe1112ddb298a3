import Synchronization

/// The token of a registration: cancel it, or release it, and nothing more is heard.
///
/// It is `Sendable` and may be released on any thread: it only leaves a note that it ended.
/// Whatever it was registered with takes the note up on its own isolation.
public final class Registration: Sendable {
  private enum Ending: Sendable {
    case note(NodeAddress, in: EndedRegistrations)
    case action(@Sendable () -> Void)
  }

  private let ending: Ending

  /// The sequence in the number of its node, or one where there is no node; zero when it has ended.
  private let sequence: Atomic<UInt32>

  /// Leaves a note when it ends.
  init(_ node: NodeNumber, noteIn ended: EndedRegistrations) {
    ending = .note(node.address, in: ended)
    sequence = Atomic(node.sequence)
  }

  /// Makes a token of one's own, for anything that has to be ended.
  ///
  /// ```swift
  /// let work = Task { for await news in channel { show(news) } }
  /// return Registration { work.cancel() }
  /// ```
  ///
  /// - Parameter action: ends what the token stands for. It is called once, when the token is
  ///   cancelled or released, on the thread that does so.
  public init(whenEnded action: @escaping @Sendable () -> Void) {
    ending = .action(action)
    sequence = Atomic(1)
  }

  deinit {
    // No other code can end it any more.
    end(sequence.load(ordering: .acquiring))
  }

  /// Ends the registration; a no-op when it has ended.
  ///
  /// Called from within a delivery on the same thread, what is registered is not called any more,
  /// also not in that delivery.
  public func cancel() {
    end(sequence.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Whether it was cancelled.
  public var isCancelled: Bool {
    sequence.load(ordering: .acquiring) == 0
  }

  private func end(_ sequence: UInt32) {
    guard sequence != 0 else { return }
    switch ending {
    case .note(let address, let ended): ended.add(NodeNumber(address, sequence: sequence))
    case .action(let action): action()
    }
  }
}
