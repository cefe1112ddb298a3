#if canImport(UIKit) && !os(watchOS)
  import Dispatch
  import FieldstoneCore
  public import UIKit

  extension UIViewController {
    /// Shows an alert with one button over the topmost presented controller, until it is closed.
    ///
    /// The alert waits for other presentations and dismissals. It ends at once without a window, and
    /// when the calling task is cancelled.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - message: the message under it; nil for none.
    ///   - button: the title of the button.
    public func showAlert(
      _ title: String, message: String? = nil, button: String = ScreenTexts.current.ok
    ) async {
      _ = await ask(title, message: message) { answer in
        [UIAlertAction(title: button, style: .default) { _ in answer.give(true) }]
      }
    }

    /// Asks for a confirmation, over the topmost presented controller.
    ///
    /// The Return key confirms, unless the action is destructive: then it cancels.
    ///
    /// - Parameters:
    ///   - title: the question.
    ///   - message: the message under it; nil for none.
    ///   - confirm: the title of the button that confirms.
    ///   - cancel: the title of the button that cancels.
    ///   - isDestructive: true when the action can't be undone.
    /// - Returns: true when it was confirmed. False also when the dialog can't be shown or ends
    ///   without an answer, and when the calling task is cancelled.
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

    /// Shows an error over the topmost presented controller, until the dialog is closed.
    ///
    /// A cancellation is not shown.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - title: the title above the error's message.
    ///   - retry: the title of the button that tries again; nil for no such button.
    ///   - button: the title of the button that closes the dialog.
    /// - Returns: true when the user wants to try again.
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
        // A cancelled caller needs no dialog.
        if Task.isCancelled { return false }
        return await withCheckedContinuation { continuation in
          // Only its presenter may retain the alert: the answer ends when it is deallocated.
          let answer = DialogAnswer(continuation)
          let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
          for action in actions(answer) { alert.addAction(action) }
          // The Return key's action.
          alert.preferredAction = alert.actions.last { $0.style != .destructive }
          dialog.set(alert, answer)
          presenter.present(alert, animated: true)
        }
      } onCancel: {
        Task { @MainActor in await dialog.cancel() }
      }
    }
  }

  /// Answers a question once: by a button, or with false when the dialog ends without an answer.
  ///
  /// Only the buttons of a dialog retain it: it is deallocated with them.
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

  /// Resumes who waits for the end of a transition, once.
  @MainActor
  private final class TransitionEnd {
    private var continuation: CheckedContinuation<Void, Never>?

    init(_ continuation: CheckedContinuation<Void, Never>) {
      self.continuation = continuation
    }

    func reach() {
      continuation?.resume()
      continuation = nil
    }
  }

  /// A weak reference to a dialog and its answer.
  @MainActor
  private final class ShownDialog {
    private weak var alert: UIAlertController?
    private weak var answer: DialogAnswer?

    func set(_ alert: UIAlertController, _ answer: DialogAnswer) {
      self.alert = alert
      self.answer = answer
    }

    /// Answers false at once, and dismisses the dialog after other transitions.
    func cancel() async {
      answer?.give(false)
      _ = await alert?.topmostAfterTransitions()
      alert?.presentingViewController?.dismiss(animated: true)
    }
  }

  extension UIViewController {
    /// Waits for the end of presentations and dismissals, and returns the topmost controller.
    ///
    /// During a transition UIKit refuses to present and to dismiss, and only logs it. Use the result
    /// without another suspension.
    func topmostAfterTransitions() async -> UIViewController {
      var turns = 0
      while let moving = presentations.first(where: \.isInTransition), turns < 1_000 {
        turns += 1
        await moving.endOfTransition()
      }
      return presentations.last ?? self
    }

    /// The chain of presented controllers, from the first to the last.
    private var presentations: [UIViewController] {
      var first = self
      while let presenting = first.presentingViewController { first = presenting }
      return Array(sequence(first: first) { $0.presentedViewController })
    }

    private var isInTransition: Bool { isBeingPresented || isBeingDismissed }

    private func endOfTransition() async {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let end = TransitionEnd(continuation)
        let isAwaited = transitionCoordinator?.animate(
          alongsideTransition: nil, completion: { _ in end.reach() })
        // Without an animation there may be no coordinator, or one that refuses to animate. That one
        // may call the completion all the same.
        if isAwaited != true { Task { @MainActor in end.reach() } }
      }
      // UIKit calls the completion while the transition still counts as under way.
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        DispatchQueue.main.async { continuation.resume() }
      }
    }
  }
#endif
