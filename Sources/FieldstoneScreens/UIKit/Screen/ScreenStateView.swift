#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A view that tells of the state of its screen: an error view, for one.
  ///
  /// A ``StatefulViewController`` calls it for the view that it shows and for the one that it lays
  /// over that, each time the state is another one.
  @MainActor
  public protocol ScreenStateView: UIView {
    /// Tells of a state.
    func show(_ state: ScreenState)
  }
#endif
