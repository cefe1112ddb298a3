import FieldstoneCore
import FieldstoneScreens
import Testing
import UIKit

@Suite("UIKit: views in views, and pictures of colours")
@MainActor
struct ViewExtensionTests {
  @Test("Views are added in order, and all their edges tied")
  func fill() {
    let (outer, views) = (UIView(), [UIView(), UIView()])
    outer.addSubviewsAndFill(views[0], views[1])
    #expect(outer.subviews.map(ObjectIdentifier.init) == views.map(ObjectIdentifier.init))
    for view in views {
      let sides = outer.constraints.filter { $0.firstItem === view }.map(\.sides.0)
      #expect(Set(sides) == ["leading", "trailing", "top", "bottom"])
      #expect(!view.translatesAutoresizingMaskIntoConstraints)
    }
  }

  final class Child: UIViewController {
    var parents: [UIViewController?] = []
    var moves: [String] = []
    override func willMove(toParent parent: UIViewController?) {
      moves.append(parent == nil ? "will leave" : "will enter")
    }
    override func didMove(toParent parent: UIViewController?) {
      moves.append(parent == nil ? "has left" : "has entered")
    }
  }

  @Test("A child view controller is embedded and taken away, with the calls that UIKit wants")
  func embed() {
    let (parent, child, container) = (UIViewController(), Child(), UIView())
    parent.view.addSubview(container)
    parent.embedChildViewController(child, in: container)
    #expect(child.parent === parent && child.view.superview === container)
    parent.removeEmbeddedChildViewController(child)
    #expect(child.parent == nil && child.view.superview == nil)
    #expect(child.moves == ["will enter", "has entered", "will leave", "has left"])
    parent.removeEmbeddedChildViewController(child)
    #expect(child.moves.count == 4)
    parent.embedChildViewController(child)
    #expect(child.view.superview === parent.view)
  }

  @Test("A colour makes a picture, and one made by chance is opaque")
  func colors() {
    let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    let image = red.image(size: CGSize(width: 3, height: 2))
    #expect(image.size == CGSize(width: 3, height: 2) && image.filling === red)
    #expect(red.image().size == CGSize(width: 1, height: 1))
    #expect(UIColor.random().hexColor?.alpha == 255)
  }
}
