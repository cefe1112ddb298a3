#if canImport(UIKit) && !os(watchOS)
  import Dispatch
  import FieldstoneCore
  public import UIKit

  extension UIViewController {
    /// Shows an alert with one button, over all that is presented, and waits until it is gone.
    ///
    /// It is shown once nothing else is being presented or dismissed any more. It is gone at once where there is no window to show it in, and when the calling task is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - message: the message under it; nil for none.
    ///   - button: what the button says.
    public func showAlert(
      _ title: String, message: String? = nil, button: String = ScreenTexts.current.ok
    ) async {
      _ = await ask(title, message: message) { answer in
        [UIAlertAction(title: button, style: .default) { _ in answer.give(true) }]
      }
    }

    /// Asks for a confirmation, over all that is presented.
    ///
    /// - Parameters:
    ///   - title: the question.
    ///   - message: what follows from it; nil for nothing.
    ///   - confirm: what the button says that confirms.
    ///   - cancel: what the button says that does not.
    ///   - isDestructive: whether confirming can't be undone.
    /// - Returns: whether it was confirmed; false, too, when the dialog could not be shown, went
    ///   without an answer, or the calling task was cancelled.
    public func confirm(
      _ title: String, message: String? = nil, confirm: String = ScreenTexts.current.ok,
      cancel: String = ScreenTexts.current.cancel,
      isDestructive: Bool = false
    ) async -> Bool {
      await ask(title, message: message) { answer in
        [
          UIAlertAction(title: cancel, style: .cancel) { _ in answer.give(false) },
          UIAlertAction(title: confirm, style: isDestructive ? .destructive : .default) { _ in
            answer.give(true)
          },
        ]
      }
    }

    /// Shows an error with its message, over all that is presented, and waits until it is gone.
    ///
    /// A cancellation is no error, and is not shown.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - title: what stands before its message.
    ///   - retry: what the button says that tries again; nil for no such button.
    ///   - button: what the button says that does nothing more.
    /// - Returns: whether to try again.
    @discardableResult
    public func showError(
      _ error: any Error, title: String = ScreenTexts.current.failure, retry: String? = nil,
      button: String = ScreenTexts.current.ok
    ) async -> Bool {
      guard case .failure(let error) = Outcome<Void>(.failure(error)) else { return false }
      return await ask(title, message: error.localizedDescription) { answer in
        let close = UIAlertAction(title: button, style: .cancel) { _ in answer.give(false) }
        guard let retry else { return [close] }
        return [
          close, UIAlertAction(title: retry, style: .default) { _ in answer.give(true) },
        ]
      }
    }

    private func ask(
      _ title: String, message: String?, actions: (DialogAnswer) -> [UIAlertAction]
    ) async -> Bool {
      let dialog = ShownDialog()
      return await withTaskCancellationHandler {
        let presenter = await topmostAfterTransitions()
        // A caller that is cancelled before there is a dialog has no use for one.
        if Task.isCancelled { return false }
        return await withCheckedContinuation { continuation in
          // Only its presenter may hold the alert, or its end would not be noticed.
          let answer = DialogAnswer(continuation)
          let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
          for action in actions(answer) { alert.addAction(action) }
          alert.preferredAction = alert.actions.last
          dialog.set(alert, answer)
          presenter.present(alert, animated: true)
        }
      } onCancel: {
        Task { @MainActor in await dialog.cancel() }
      }
    }
  }

  /// Answers a question once: as a button says, or as a fallback when the dialog goes without one.
  ///
  /// Only the buttons of a dialog hold it: it is released with them.
  @MainActor
  private final class DialogAnswer {
    private var continuation: CheckedContinuation<Bool, Never>?

    init(_ continuation: CheckedContinuation<Bool, Never>) {
      self.continuation = continuation
    }

    func give(_ answer: Bool) {
      continuation?.resume(returning: answer)
      continuation = nil
    }

    deinit {
      continuation?.resume(returning: false)
    }
  }

  /// A dialog that is there for as long as others hold it.
  @MainActor
  private final class ShownDialog {
    private weak var alert: UIAlertController?
    private weak var answer: DialogAnswer?

    func set(_ alert: UIAlertController, _ answer: DialogAnswer) {
      self.alert = alert
      self.answer = answer
    }

    /// Answers at once, and takes the dialog away when no transition is under way any more.
    func cancel() async {
      answer?.give(false)
      _ = await alert?.topmostAfterTransitions()
      alert?.presentingViewController?.dismiss(animated: true)
    }
  }

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
