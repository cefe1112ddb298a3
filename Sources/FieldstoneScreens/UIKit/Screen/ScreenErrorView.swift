#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import UIKit

  /// A title with the message of an error, and a button that tries again.
  open class ScreenErrorView: ScreenMessageView {
    /// Takes over the message of the state's error.
    open override func show(_ state: ScreenState) {
      if let error = state.error { message = error.localizedDescription }
    }
  }
#endif
