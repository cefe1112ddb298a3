// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

open class UIViewController: UIResponder {
  private var loaded: UIView?

  open var title: String?
  public private(set) weak var presentingViewController: UIViewController?
  public private(set) var presentedViewController: UIViewController?
  public private(set) var isBeingDismissed = false

  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init()
  }

  public required init?(coder: NSCoder) {
    super.init()
  }

  public convenience override init() {
    self.init(nibName: nil, bundle: nil)
  }

  // MARK: - The view

  // Implicitly unwrapped, as in UIKit.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loaded
    }
    set { loaded = newValue }
  }

  open var viewIfLoaded: UIView? { loaded }

  open var isViewLoaded: Bool { loaded != nil }

  open func loadView() {
    view = UIView(frame: .zero)
  }

  open func loadViewIfNeeded() {
    guard loaded == nil else { return }
    loadView()
    viewDidLoad()
  }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewIsAppearing(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}

  /// Puts the view into another one, with the calls that UIKit makes, in its order.
  func enter(_ container: UIView) {
    loadViewIfNeeded()
    viewWillAppear(false)
    container.addSubview(view)
    viewIsAppearing(false)
    viewDidAppear(false)
  }

  /// Takes the view out again.
  func leave() {
    viewWillDisappear(false)
    viewIfLoaded?.removeFromSuperview()
    viewDidDisappear(false)
  }

  // MARK: - Presenting

  /// As in UIKit, nothing happens, but for a line in the log, when this one has no window or
  /// presents another one already.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    guard let window = viewIfLoaded?.window, presentedViewController == nil else { return }
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    viewControllerToPresent.enter(window)
    completion?()
    StandIn.noteChange()
  }

  /// Dismisses what this one presents; else this one.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    guard let presented = presentedViewController else {
      presentingViewController?.dismiss(animated: flag, completion: completion)
      return
    }
    if presented.presentedViewController != nil { presented.dismiss(animated: false) }
    presented.isBeingDismissed = true
    presented.leave()
    presented.isBeingDismissed = false
    presented.presentingViewController = nil
    presentedViewController = nil
    completion?()
    StandIn.noteChange()
  }
}

/// Shows a view controller, and knows which view the keyboard types into.
open class UIWindow: UIView {
  weak var firstResponder: UIView?

  open var rootViewController: UIViewController?

  open func makeKeyAndVisible() {
    rootViewController?.enter(self)
  }
}
