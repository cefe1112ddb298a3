#if canImport(UIKit) && !os(watchOS)
  import Dispatch
  import UIKit

  extension UIViewController {
    /// Waits until nothing is being presented or dismissed, and gives the last of those presented.
    ///
    /// UIKit refuses to present and to dismiss while a transition is under way, with no more than a
    /// line in the log. Act on the result without waiting for anything else.
    func topmostAfterTransitions() async -> UIViewController {
      var turns = 0
      while let moving = presentations.first(where: \.isInTransition), turns < 1_000 {
        turns += 1
        await moving.endOfTransition()
      }
      return presentations.last ?? self
    }

    /// What presents what, from the first to the last.
    private var presentations: [UIViewController] {
      var first = self
      while let presenting = first.presentingViewController { first = presenting }
      return Array(sequence(first: first) { $0.presentedViewController })
    }

    private var isInTransition: Bool { isBeingPresented || isBeingDismissed }

    private func endOfTransition() async {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isAwaited = transitionCoordinator?.animate(
          alongsideTransition: nil, completion: { _ in continuation.resume() })
        // Without an animation there may be no coordinator.
        if isAwaited != true { DispatchQueue.main.async { continuation.resume() } }
      }
      // It is called while the transition is still said to be under way.
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        DispatchQueue.main.async { continuation.resume() }
      }
    }
  }
#endif
