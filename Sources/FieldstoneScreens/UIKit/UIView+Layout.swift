#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UIView {
    /// Pins all four edges to those of a superview.
    func pin(to view: UIView) {
      translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        leadingAnchor.constraint(equalTo: view.leadingAnchor),
        trailingAnchor.constraint(equalTo: view.trailingAnchor),
        topAnchor.constraint(equalTo: view.topAnchor),
        bottomAnchor.constraint(equalTo: view.bottomAnchor),
      ])
    }

    /// Pins all four edges to those of a guide.
    func pin(to guide: UILayoutGuide) {
      translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        leadingAnchor.constraint(equalTo: guide.leadingAnchor),
        trailingAnchor.constraint(equalTo: guide.trailingAnchor),
        topAnchor.constraint(equalTo: guide.topAnchor),
        bottomAnchor.constraint(equalTo: guide.bottomAnchor),
      ])
    }

    /// Sets the background of screens.
    func useScreenBackground() {
      #if os(tvOS)
        backgroundColor = .black.withAlphaComponent(0.6)
        // Light text in the light appearance, too.
        overrideUserInterfaceStyle = .dark
      #else
        backgroundColor = .systemBackground
      #endif
    }
  }

  extension UILabel {
    /// Makes a label that adjusts to the text size and to the length of its text.
    convenience init(
      _ text: String, style: UIFont.TextStyle, color: UIColor = .label,
      alignment: NSTextAlignment = .natural
    ) {
      self.init(frame: .zero)
      self.text = text
      font = .preferredFont(forTextStyle: style)
      adjustsFontForContentSizeCategory = true
      textColor = color
      textAlignment = alignment
      numberOfLines = 0
    }
  }

  extension UIStackView {
    /// Makes a column, or a row, of views.
    convenience init(
      _ axis: NSLayoutConstraint.Axis, spacing: CGFloat, alignment: UIStackView.Alignment = .fill,
      _ views: [UIView]
    ) {
      self.init(arrangedSubviews: views)
      self.axis = axis
      self.spacing = spacing
      self.alignment = alignment
    }
  }

  extension UIView {
    /// Adds subviews, each over the one before, and pins their edges to its own.
    /// (Seed: Mold's view extensions.)
    public func addSubviewsAndFill(_ views: UIView...) {
      for view in views {
        addSubview(view)
        view.pin(to: self)
      }
    }
  }

  extension UIViewController {
    /// Adds a child view controller, whose view fills a view of this one.
    /// (Seed: Mold's view controller extensions.)
    ///
    /// - Parameters:
    ///   - child: the child view controller.
    ///   - container: the view to fill; by default the controller's view.
    public func embedChildViewController(
      _ child: UIViewController, in container: UIView? = nil
    ) {
      addChild(child)
      if let container = container ?? view { container.addSubviewsAndFill(child.view) }
      child.didMove(toParent: self)
    }

    /// Removes a child view controller and its view; a no-op for another controller.
    public func removeEmbeddedChildViewController(_ child: UIViewController) {
      guard child.parent === self else { return }
      child.willMove(toParent: nil)
      child.viewIfLoaded?.removeFromSuperview()
      child.removeFromParent()
    }
  }
#endif
