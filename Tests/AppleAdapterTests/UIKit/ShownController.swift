import Accessibility
import UIKit

/// A view controller in a window, as a person sees it.
@MainActor
final class Shown<Controller: UIViewController> {
  let controller: Controller
  let window = UIWindow(frame: .zero)

  init(_ controller: Controller) {
    self.controller = controller
    window.rootViewController = controller
    window.makeKeyAndVisible()
  }

  /// The views of a type that are on the screen, in order.
  func visible<Kind: UIView>(_ kind: Kind.Type = Kind.self) -> [Kind] {
    window.all(kind).filter(\.isOnScreen)
  }

  /// The texts on the screen, from top to bottom.
  var texts: [String] { visible(UILabel.self).compactMap(\.text).filter { !$0.isEmpty } }

  /// Whether a spinner turns on the screen.
  var isSpinning: Bool { visible(UIActivityIndicatorView.self).contains(where: \.isAnimating) }

  /// The button on the screen with a title.
  func button(_ title: String) -> UIButton? {
    visible(UIButton.self).first { $0.configuration?.title == title }
  }

  /// The one on the screen that assistive technology calls that.
  func element<Kind: UIView>(_ label: String, _ kind: Kind.Type = Kind.self) -> Kind? {
    visible(kind).first { $0.accessibilityLabel == label }
  }

  /// What is announced and has a text in it, also by other tests; with an exclamation mark if nothing
  /// interrupts it.
  func announcements(with text: String) -> [String] {
    AccessibilityNotification._announcements.filter { $0.contains(text) }
  }

  /// The alert that lies over all, once it is there and can be tapped.
  var settledAlert: UIAlertController? {
    guard let alert, !alert.isBeingPresented, !alert.isBeingDismissed else { return nil }
    return alert
  }

  /// The alert that lies over all.
  var alert: UIAlertController? {
    var top: UIViewController = controller
    while let next = top.presentedViewController { top = next }
    return top as? UIAlertController
  }
}
