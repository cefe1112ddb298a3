#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Answers a question once: as a button says, or as a fallback when the dialog goes without one.
  ///
  /// Only the buttons of a dialog hold it: it is released with them.
  @MainActor
  final class DialogAnswer {
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
  final class ShownDialog {
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
#endif
