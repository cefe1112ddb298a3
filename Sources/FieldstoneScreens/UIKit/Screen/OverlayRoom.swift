#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// The room below the content of a scroll view for an overlay, so that its last rows can be reached.
  @MainActor
  final class OverlayRoom {
    private weak var scrollView: UIScrollView?
    private var height: CGFloat = 0

    /// Makes room for an overlay, and takes that of the one before away.
    func make(in scrollView: UIScrollView?, for overlay: UIView?) {
      if scrollView !== self.scrollView {
        add(-height)
        height = 0
        self.scrollView = scrollView
      }
      let height = overlay?.bounds.height ?? 0
      guard height != self.height else { return }
      add(height - self.height)
      self.height = height
    }

    /// Changes the insets, which may be others' as well.
    private func add(_ change: CGFloat) {
      scrollView?.contentInset.bottom += change
      scrollView?.verticalScrollIndicatorInsets.bottom += change
    }
  }
#endif
