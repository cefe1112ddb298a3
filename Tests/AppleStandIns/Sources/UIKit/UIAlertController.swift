// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@MainActor
open class UIAlertAction {
  public enum Style: Int, Sendable {
    case `default`, cancel, destructive
  }

  public let title: String?
  public let style: UIAlertAction.Style
  let handler: ((UIAlertAction) -> Void)?

  // In UIKit a convenience initialiser.
  public init(
    title: String?, style: UIAlertAction.Style, handler: ((UIAlertAction) -> Void)? = nil
  ) {
    self.title = title
    self.style = style
    self.handler = handler
  }
}

open class UIAlertController: UIViewController {
  public enum Style: Int, Sendable {
    case actionSheet, alert
  }

  public private(set) var preferredStyle = Style.actionSheet
  public private(set) var actions: [UIAlertAction] = []
  open var message: String?
  open var preferredAction: UIAlertAction?

  public convenience init(
    title: String?, message: String?, preferredStyle: UIAlertController.Style
  ) {
    self.init(nibName: nil, bundle: nil)
    self.title = title
    self.message = message
    self.preferredStyle = preferredStyle
  }

  open func addAction(_ action: UIAlertAction) {
    precondition(
      action.style != .cancel || !actions.contains { $0.style == .cancel },
      "UIKit refuses a second cancel action.")
    actions.append(action)
  }

  /// A person's tap on one of the buttons: the alert goes, and then the action is called.
  public final func choose(_ title: String) {
    guard presentingViewController != nil, !isMoving, presentedViewController == nil else {
      return
    }
    guard let action = actions.first(where: { $0.title == title }) else { return }
    dismiss(animated: true) { action.handler?(action) }
  }
}
