#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UIView {
    /// Ties all four edges to those of another view that it is in.
    func pin(to view: UIView) {
      translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        leadingAnchor.constraint(equalTo: view.leadingAnchor),
        trailingAnchor.constraint(equalTo: view.trailingAnchor),
        topAnchor.constraint(equalTo: view.topAnchor),
        bottomAnchor.constraint(equalTo: view.bottomAnchor),
      ])
    }

    /// Ties all four edges to those of a guide.
    func pin(to guide: UILayoutGuide) {
      translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        leadingAnchor.constraint(equalTo: guide.leadingAnchor),
        trailingAnchor.constraint(equalTo: guide.trailingAnchor),
        topAnchor.constraint(equalTo: guide.topAnchor),
        bottomAnchor.constraint(equalTo: guide.bottomAnchor),
      ])
    }

    /// Behind what it holds, as screens have it.
    func useScreenBackground() {
      #if os(tvOS)
        backgroundColor = .black.withAlphaComponent(0.6)
      #else
        backgroundColor = .systemBackground
      #endif
    }
  }

  extension UILabel {
    /// Makes a label that grows with the person's text size and with its text.
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
