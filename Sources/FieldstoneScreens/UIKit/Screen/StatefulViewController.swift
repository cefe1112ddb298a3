#if canImport(UIKit) && !os(watchOS)
  public import FieldstoneCore
  import FieldstoneForms
  public import Foundation
  public import UIKit

  /// A view controller that shows one of five views for the state of its screen.
  ///
  /// The first appearance loads; the buttons of the views load again. Deallocating the controller
  /// cancels its load, unless another object retains the screen. (Seed: Mold's stateful view
  /// controllers.)
  ///
  /// A subclass makes the view of the content, and may replace each of the other views:
  ///
  /// ```swift
  /// final class UsersViewController: StatefulViewController {
  ///   private let users: Integrator<String, [User]>
  ///   private let table = UserTable()
  ///
  ///   init(_ users: Integrator<String, [User]>) {
  ///     self.users = users
  ///     super.init(ScreenModel(users, parameters: "", timing: .calm))
  ///   }
  ///
  ///   required init?(coder: NSCoder) { nil }
  ///
  ///   override func makePrimaryView() -> UIView { table }
  ///   override func updatePrimaryView() { table.show(users.phase.value ?? []) }
  /// }
  /// ```
  ///
  /// A subclass whose content comes from an operation overrides a method, and needs no screen:
  ///
  /// ```swift
  /// final class MessagesViewController: StatefulViewController {
  ///   private var messages: [Message] = []
  ///
  ///   override func makeOperation() -> ScreenOperation? {
  ///     ScreenOperation(LoadMessages().onSuccess { [weak self] in self?.messages = $0 })
  ///   }
  /// }
  /// ```
  ///
  /// Assistive technology moves to a new view; a new error in the same view is announced.
  open class StatefulViewController: UIViewController {
    /// The model of the screen.
    public let screen: ScreenModel

    /// The texts of the default views; set them before the views are shown.
    public var texts = ScreenTexts.current

    /// True when the content is the result of a search; set it before the views are shown.
    ///
    /// The default view without results is then the system's for a search.
    public var isSearch = false

    /// The view before the first load; by default a title with a button that loads.
    public lazy var initialView: UIView = makeInitialView() { didSet { replaced() } }

    /// The view during the first load; by default a spinner.
    public lazy var loadingView: UIView = makeLoadingView() { didSet { replaced() } }

    /// The content; by default an empty view.
    public lazy var primaryView: UIView = makePrimaryView() { didSet { replaced() } }

    /// The view for empty content; by default a title with a button that loads again.
    public lazy var noResultsView: UIView = makeNoResultsView() { didSet { replaced() } }

    /// The view of an error without content; by default with a button that tries again.
    public lazy var retryView: UIView = makeRetryView() { didSet { replaced() } }

    /// The overlay over the content, during a refresh and after one that failed.
    public lazy var overlayView: UIView = makeOverlayView() { didSet { replaced() } }

    #if !os(tvOS)
      /// True when a primary view that scrolls can be pulled down to refresh; false by default.
      ///
      /// It has no effect in the Mac idiom of Mac Catalyst, where UIKit refuses refresh controls: offer
      /// ``refresh()`` as a menu item there.
      public var refreshesByPulling = false { didSet { replaced() } }

      /// The refresh control; if the primary view is not a scroll view, add it to the one inside.
      public private(set) lazy var refreshControl = UIRefreshControl(
        frame: .zero, primaryAction: UIAction { [weak self] _ in self?.refreshByPulling() })
    #endif

    /// The state that is shown; nil until the view is loaded.
    public private(set) var shownState: ScreenState?

    /// The view during the delay of a first load.
    private let blankView = UIView()

    private var shownView: UIView?
    private var shownOverlay: UIView?
    private let room = OverlayRoom()
    /// The number of errors of the screen when a state was last shown.
    private var shownFailureCount = 0
    #if !os(tvOS)
      /// Waits for the end of the refresh that the user has pulled for.
      private var pulled: TaskHolder?
    #endif
    private var follower: ChangeFollower<ScreenState?>?

    /// Makes a view controller over a screen.
    public init(_ screen: ScreenModel) {
      self.screen = screen
      super.init(nibName: nil, bundle: nil)
    }

    /// Makes a view controller whose screen runs the operations of ``makeOperation()``.
    ///
    /// - Parameters:
    ///   - queue: the queue of the operations; nil for the screen's own queue.
    ///   - loadsOnAppear: true when the first appearance loads.
    ///   - timing: the delay and minimum time of the loading state.
    ///   - time: the clock of the timing.
    public init(
      on queue: OperationQueue? = nil, loadsOnAppear: Bool = true,
      timing: LoadingTiming = .immediate, time: TimeSource = .system
    ) {
      let maker = OperationMaker()
      screen = ScreenModel(
        makingOperation: { maker.make() }, on: queue, loadsOnAppear: loadsOnAppear,
        timing: timing, time: time)
      super.init(nibName: nil, bundle: nil)
      maker.controller = self
    }

    /// Makes a view controller from a storyboard, with a screen from a segue action or from the
    /// creator of `instantiateViewController`.
    public init?(coder: NSCoder, screen: ScreenModel) {
      self.screen = screen
      super.init(coder: coder)
    }

    /// Makes a view controller from a storyboard whose screen runs the operations of
    /// ``makeOperation()``; for another screen, see `init(coder:screen:)`.
    public required init?(coder: NSCoder) {
      let maker = OperationMaker()
      screen = ScreenModel(makingOperation: { maker.make() })
      super.init(coder: coder)
      maker.controller = self
    }

    // MARK: - Life cycle of the view

    open override func viewDidLoad() {
      super.viewDidLoad()
      view.useScreenBackground()
      let follower = ChangeFollower { [weak self] in
        self?.readState()
      } use: { [weak self] state in
        if let state { self?.show(state) }
      }
      self.follower = follower
      follower.follow()
    }

    open override func viewIsAppearing(_ animated: Bool) {
      super.viewIsAppearing(animated)
      screen.appear()
      // The first frame already shows the loading state.
      follower?.follow()
    }

    // MARK: - For subclasses

    /// Makes the operation of a load, for each load; nil by default, which loads nothing.
    ///
    /// It is called only when the view controller was made without a screen.
    open func makeOperation() -> ScreenOperation? { nil }

    /// Makes the view before the first load.
    open func makeInitialView() -> UIView {
      ScreenMessageView(
        title: texts.initial, message: texts.initialMessage, button: texts.load
      ) { [weak self] in self?.retry() }
    }

    /// Makes the view during the first load.
    open func makeLoadingView() -> UIView { ScreenLoadingView(texts.loading) }

    /// Makes the view of the content.
    open func makePrimaryView() -> UIView { UIView() }

    /// Makes the view for empty content; for a search, the system's.
    open func makeNoResultsView() -> UIView {
      if isSearch {
        var configuration = UIContentUnavailableConfiguration.search()
        configuration.putButton(texts.tryAgain) { [weak self] in self?.retry() }
        return ScreenMessageView(configuration)
      }
      return ScreenMessageView(
        title: texts.noResults, message: texts.noResultsMessage, image: UIImage(systemName: "tray"),
        button: texts.tryAgain
      ) { [weak self] in self?.retry() }
    }

    /// Makes the view of an error without content.
    open func makeRetryView() -> UIView {
      ScreenErrorView(
        title: texts.failure, image: UIImage(systemName: "exclamationmark.triangle"),
        button: texts.tryAgain
      ) { [weak self] in self?.retry() }
    }

    /// Makes the overlay over the content, during a refresh and after one that failed.
    open func makeOverlayView() -> UIView {
      ScreenOverlayView(texts) { [weak self] in self?.retry() }
    }

    /// Updates the primary view, before it is shown and after each change of the observable values
    /// that this method has read.
    ///
    /// An override must not change observable values that it reads.
    open func updatePrimaryView() {}

    /// Called after a state is shown, also when it was shown before.
    open func didShow(_ state: ScreenState) {}

    /// Loads again after an error or without results.
    open func retry() { screen.retry() }

    /// Loads again and keeps the present content meanwhile.
    open func refresh() { screen.refresh() }

    // MARK: - Display

    #if !os(tvOS)
      private func refreshByPulling() {
        refresh()
        // It retains the screen only as long as this controller lives, so that the load ends with it.
        pulled = TaskHolder(
          Task { [weak refreshControl, screen] in
            await screen.waitUntilIdle()
            if !Task.isCancelled { refreshControl?.endRefreshing() }
          })
      }

      private var offersPulling: Bool {
        refreshesByPulling && traitCollection.userInterfaceIdiom != .mac
      }
    #endif

    /// True while the refresh control shows the refresh.
    private var isPulled: Bool {
      #if os(tvOS)
        false
      #else
        offersPulling && refreshControl.isRefreshing
      #endif
    }

    private func readState() -> ScreenState {
      let state = screen.state
      if state.view == .primary { updatePrimaryView() }
      return state
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      room.make(in: shownView as? UIScrollView, for: shownOverlay)
    }

    private func replaced() {
      if let shownState { show(shownState) }
    }

    private func show(_ state: ScreenState) {
      let previous = shownState
      shownState = state
      let next = view(for: state.view)
      if next !== shownView {
        shownView?.removeFromSuperview()
        view.insertSubview(next, at: 0)
        // Lists extend under bars; texts do not.
        if state.view == .primary {
          next.pin(to: view)
        } else {
          next.pin(to: view.safeAreaLayoutGuide)
        }
        shownView = next
      }
      #if !os(tvOS)
        if state.view == .primary, let scrollView = next as? UIScrollView {
          if offersPulling {
            scrollView.refreshControl = refreshControl
          } else if let control = scrollView.refreshControl, control === refreshControl {
            control.endRefreshing()
            scrollView.refreshControl = nil
          }
        }
      #endif
      (next as? any ScreenStateView)?.show(state)
      showOverlay(of: state)
      tellAssistiveTechnology(of: state, after: previous)
      didShow(state)
    }

    private func showOverlay(of state: ScreenState) {
      guard case .primary(let overlay) = state, overlay.isShown(whilePulled: isPulled) else {
        shownOverlay?.removeFromSuperview()
        shownOverlay = nil
        return
      }
      if shownOverlay !== overlayView {
        shownOverlay?.removeFromSuperview()
        overlayView.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(overlayView)
        #if os(tvOS)
          let bottom = view.safeAreaLayoutGuide.bottomAnchor
        #else
          // Above the keyboard, which a search has; without it that is the safe area's edge.
          let bottom = view.keyboardLayoutGuide.topAnchor
        #endif
        NSLayoutConstraint.activate([
          overlayView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
          overlayView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
          overlayView.bottomAnchor.constraint(equalTo: bottom),
        ])
        shownOverlay = overlayView
      }
      (overlayView as? any ScreenStateView)?.show(state)
    }

    private func tellAssistiveTechnology(of state: ScreenState, after previous: ScreenState?) {
      let isNewError = shownFailureCount != screen.failureCount
      shownFailureCount = screen.failureCount
      guard view.window != nil, let previous, state.view != .blank else { return }
      if state.view != previous.view {
        UIAccessibility.post(notification: .screenChanged, argument: shownView)
      } else if isNewError, let error = state.error {
        Announcer.announce(texts.sentence(for: error))
      }
    }

    private func view(for view: ScreenView) -> UIView {
      switch view {
      case .initial: initialView
      case .blank: blankView
      case .loading: loadingView
      case .primary: primaryView
      case .noResults: noResultsView
      case .retry: retryView
      }
    }
  }

  /// Connects a screen to the operations of its view controller, which is made later.
  @MainActor
  private final class OperationMaker {
    weak var controller: StatefulViewController?

    func make() -> ScreenOperation? { controller?.makeOperation() }
  }

  extension ScreenOverlay {
    fileprivate func isShown(whilePulled isPulled: Bool) -> Bool {
      switch self {
      case .none: false
      case .refreshing: !isPulled
      case .failed: true
      }
    }
  }
#endif
