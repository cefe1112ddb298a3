// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@MainActor
open class UIBarItem: StandInObject {
  open var title: String?
  open var image: UIImage?
  open var isEnabled = true

  public init() {
    super.init(root: ())
  }
}

open class UIBarButtonItem: UIBarItem {
  open var primaryAction: UIAction?
  var isSpace = false

  public required override init() {
    super.init()
  }

  public convenience init(
    title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil,
    menu: UIMenu? = nil
  ) {
    self.init()
    self.title = title ?? primaryAction?.title
    self.image = image
    self.primaryAction = primaryAction
  }

  open class func flexibleSpace() -> Self {
    let item = self.init()
    item.isSpace = true
    return item
  }

  /// A person's tap.
  public final func tap() {
    if isEnabled, let primaryAction { primaryAction.handler(primaryAction) }
  }
}

@available(tvOS, unavailable)
open class UIToolbar: UIView {
  open var items: [UIBarButtonItem]?

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  /// The item with a title.
  public final func item(_ title: String) -> UIBarButtonItem? {
    items?.first { $0.title == title }
  }
}

/// What a person sees who pulls a scroll view down.
@available(tvOS, unavailable)
open class UIRefreshControl: UIControl {
  public private(set) var isRefreshing = false

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  open func beginRefreshing() {
    isRefreshing = true
  }

  open func endRefreshing() {
    isRefreshing = false
  }

  /// A person pulls; as in UIKit, it turns until it is told that the refresh is over.
  public final func pull() {
    guard !isRefreshing else { return }
    beginRefreshing()
    sendActions(for: [.valueChanged, .primaryActionTriggered])
  }
}
