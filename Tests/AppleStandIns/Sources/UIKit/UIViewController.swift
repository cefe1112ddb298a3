// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

open class UIViewController: UIResponder {
  private var loaded: UIView?

  open var title: String?
  public private(set) weak var presentingViewController: UIViewController?
  public private(set) var presentedViewController: UIViewController?
  public private(set) var isBeingPresented = false
  public private(set) var isBeingDismissed = false
  public private(set) weak var parent: UIViewController?
  public private(set) var children: [UIViewController] = []

  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init()
  }

  public required init?(coder: NSCoder) {
    super.init()
  }

  public convenience override init() {
    self.init(nibName: nil, bundle: nil)
  }

  open var traitCollection: UITraitCollection { UITraitCollection(userInterfaceIdiom: idiom) }

  /// What a test sets, and Apple's UIKit takes from the system.
  public final var idiom = UIUserInterfaceIdiom.phone

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
  open func viewDidLayoutSubviews() {}
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

  // MARK: - Containers

  open func addChild(_ childController: UIViewController) {
    childController.removeFromParent()
    childController.willMove(toParent: self)
    children.append(childController)
    childController.parent = self
  }

  /// As in UIKit, it does not take the view away, nor tell the child that it is about to go.
  open func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(toParent: nil)
  }

  open func willMove(toParent parent: UIViewController?) {}

  open func didMove(toParent parent: UIViewController?) {}

  // MARK: - Presenting

  /// Refused, with no more than a line in the log, without a window, while this one presents
  /// another one, and while a transition is under way.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    guard let window = viewIfLoaded?.window, presentedViewController == nil,
      viewControllerToPresent.presentingViewController == nil, !isMoving
    else {
      viewIfLoaded?.window?.refusals += 1
      return
    }
    let shown = viewControllerToPresent
    presentedViewController = shown
    shown.presentingViewController = self
    shown.isBeingPresented = true
    shown.loadViewIfNeeded()
    shown.viewWillAppear(flag)
    window.addSubview(shown.view)
    shown.viewIsAppearing(flag)
    window.begin(
      Transition(of: [self, shown]) {
        shown.isBeingPresented = false
        shown.viewDidAppear(flag)
        completion?()
      })
  }

  /// Dismisses what this one presents, with all above it; else this one.
  ///
  /// Refused, with no more than a line in the log, while a transition is under way.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    guard let presented = presentedViewController else {
      presentingViewController?.dismiss(animated: flag, completion: completion)
      return
    }
    var gone = [presented]
    while let next = gone.last?.presentedViewController { gone.append(next) }
    guard let window = viewIfLoaded?.window else { return }
    guard !gone.contains(where: \.isMoving) else {
      window.refusals += 1
      return
    }
    for controller in gone.reversed() {
      controller.isBeingDismissed = true
      controller.viewWillDisappear(flag)
    }
    window.begin(
      Transition(of: [self] + gone) { [self] in
        for controller in gone.reversed() {
          controller.viewIfLoaded?.removeFromSuperview()
          controller.isBeingDismissed = false
          controller.presentedViewController = nil
          controller.presentingViewController = nil
          controller.viewDidDisappear(flag)
        }
        presentedViewController = nil
        completion?()
      })
  }

  var isMoving: Bool { isBeingPresented || isBeingDismissed }

  open internal(set) weak var transitionCoordinator: (any UIViewControllerTransitionCoordinator)?
}

@MainActor
public protocol UIViewControllerTransitionCoordinatorContext: AnyObject {}

@MainActor
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext
{
  // In UIKit the last parameter has a default, by its Objective-C declaration.
  @discardableResult
  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool
}

/// A presentation or a dismissal, from its beginning to its end.
@MainActor
final class Transition: UIViewControllerTransitionCoordinator {
  private let controllers: [UIViewController]
  private let end: () -> Void
  private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []
  /// Whether it says that nothing will be animated, and calls completions all the same, as UIKit may.
  var refuses = false

  init(of controllers: [UIViewController], _ end: @escaping () -> Void) {
    self.controllers = controllers
    self.end = end
    for controller in controllers { controller.transitionCoordinator = self }
  }

  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool {
    animation?(self)
    if let completion { completions.append(completion) }
    return !refuses
  }

  /// As in UIKit, completions are called while it is still said to be under way.
  func finish() {
    for completion in completions { completion(self) }
    for controller in controllers { controller.transitionCoordinator = nil }
    end()
  }
}

/// Shows a view controller, and knows which view the keyboard types into.
open class UIWindow: UIView {
  weak var firstResponder: UIView?

  open var rootViewController: UIViewController?

  open func makeKeyAndVisible() {
    rootViewController?.enter(self)
  }

  // MARK: - What a test asks, and Apple's UIKit does not have

  /// Whether transitions end only when a test says so; else they end in a later turn.
  public final var holdsTransitions = false

  /// Whether transitions that begin refuse to animate anything beside them.
  public final var refusesAnimations = false

  /// How often something was asked for that UIKit refuses with a line in its log.
  public final internal(set) var refusals = 0

  private var transitions: [Transition] = []

  /// How many transitions are under way.
  public final var transitionCount: Int { transitions.count }

  /// Ends all transitions that are under way.
  public final func finishTransitions() {
    let ending = transitions
    transitions = []
    for transition in ending { transition.finish() }
  }

  final func begin(_ transition: Transition) {
    transition.refuses = refusesAnimations
    transitions.append(transition)
    if holdsTransitions { return }
    Task { @MainActor in
      await Task.yield()
      self.finishTransitions()
    }
  }
}
