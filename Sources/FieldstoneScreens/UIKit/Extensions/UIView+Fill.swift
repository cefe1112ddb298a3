#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UIView {
    /// Adds views, each over the one before, and ties all their edges to its own.
    /// (Seed: Mold's view extensions.)
    public func addSubviewsAndFill(_ views: UIView...) {
      for view in views {
        addSubview(view)
        view.pin(to: self)
      }
    }
  }

  extension UIViewController {
    /// Makes another view controller a child, whose view fills a view of this one.
    /// (Seed: Mold's view controller extensions.)
    ///
    /// - Parameters:
    ///   - child: the other view controller.
    ///   - container: the view that it fills; the whole view unless given.
    public func embedChildViewController(
      _ child: UIViewController, in container: UIView? = nil
    ) {
      addChild(child)
      if let container = container ?? view { container.addSubviewsAndFill(child.view) }
      child.didMove(toParent: self)
    }

    /// Takes a child away that was embedded, and its view with it; a no-op for any other.
    public func removeEmbeddedChildViewController(_ child: UIViewController) {
      guard child.parent === self else { return }
      child.willMove(toParent: nil)
      child.viewIfLoaded?.removeFromSuperview()
      child.removeFromParent()
    }
  }
#endif
