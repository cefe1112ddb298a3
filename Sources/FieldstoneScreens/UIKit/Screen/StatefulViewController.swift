#if canImport(UIKit) && !os(watchOS)
  public import FieldstoneCore
  public import Foundation
  public import UIKit

  /// A view controller that shows the right one of five views for the state of its screen.
  ///
  /// Its first appearance starts the screen; the buttons of its views run it again. Released while
  /// a call is under way, it ends that call, as long as no other object holds the screen. (Seed:
  /// Mold's stateful view controllers.)
  ///
  /// A subclass says what the values look like, and may replace each of the other views:
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
  /// One whose values come from an operation makes it in a method, and needs no screen:
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
  /// When the view is another one, assistive technology goes there; the error of a refresh is read
  /// out.
  open class StatefulViewController: UIViewController {
    /// What drives it.
    public let screen: ScreenModel

    /// What its views say where they are not replaced; to be set before they are shown.
    public var texts = ScreenTexts.current

    /// Whether the values are what a search finds, so that none are the system's empty search; to be
    /// set before its views are shown.
    public var isSearch = false

    /// What is there before anything was asked for; a title with a button that loads unless
    /// replaced.
    public lazy var initialView: UIView = makeInitialView() { didSet { replaced() } }

    /// What is there while the first values are on their way; a spinner unless replaced.
    public lazy var loadingView: UIView = makeLoadingView() { didSet { replaced() } }

    /// The values; an empty view unless replaced.
    public lazy var primaryView: UIView = makePrimaryView() { didSet { replaced() } }

    /// What is there when there are no values; a title with a button that loads again unless
    /// replaced.
    public lazy var noResultsView: UIView = makeNoResultsView() { didSet { replaced() } }

    /// What is there when nothing could be loaded; the error with a button that tries again unless
    /// replaced.
    public lazy var retryView: UIView = makeRetryView() { didSet { replaced() } }

    /// What lies over the values while they are refreshed and when they could not be.
    public lazy var overlayView: UIView = makeOverlayView() { didSet { replaced() } }

    #if !os(tvOS)
      /// Whether a primary view that scrolls can be pulled down to refresh it; false unless set.
      public var refreshesByPulling = false { didSet { replaced() } }

      /// The control that appears when a person pulls the primary view down; where that does not
      /// scroll itself, put it into the scroll view that does.
      public private(set) lazy var refreshControl = UIRefreshControl(
        frame: .zero, primaryAction: UIAction { [weak self] _ in self?.refreshByPulling() })
    #endif

    /// What is shown; nil as long as the view is not loaded.
    public private(set) var shownState: ScreenState?

    /// What is there during the delay of a first load.
    private let blankView = UIView()

    private var shownView: UIView?
    private var shownOverlay: UIView?
    private var follower: ChangeFollower<ScreenState?>?

    /// Makes a view controller over a screen.
    public init(_ screen: ScreenModel) {
      self.screen = screen
      super.init(nibName: nil, bundle: nil)
    }

    /// Makes a view controller whose screen loads what ``makeOperation()`` makes.
    ///
    /// - Parameters:
    ///   - queue: where the operations run; on a queue of the screen's own where it is nil.
    ///   - loadsOnAppear: whether the first appearance loads; else a person has to ask for it.
    ///   - timing: when the screen says that it is loading.
    ///   - time: what the timing goes by.
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

    /// Makes a view controller from a storyboard, where something gives it its screen: the creator
    /// of `instantiateViewController`, or a segue action.
    public init?(coder: NSCoder, screen: ScreenModel) {
      self.screen = screen
      super.init(coder: coder)
    }

    /// Makes a view controller from a storyboard whose screen loads what ``makeOperation()`` makes;
    /// for another screen, see `init(coder:screen:)`.
    public required init?(coder: NSCoder) {
      let maker = OperationMaker()
      screen = ScreenModel(makingOperation: { maker.make() })
      super.init(coder: coder)
      maker.controller = self
    }

    // MARK: - The life of the view

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
      // So that the first picture is that of the state after that.
      follower?.follow()
    }

    // MARK: - For subclasses

    /// Makes the operation that loads, for each load; nil, as unless overridden, loads nothing and
    /// leaves what is shown.
    ///
    /// It is asked where the view controller was made without a screen.
    open func makeOperation() -> ScreenOperation? { nil }

    /// Makes what is there before anything was asked for.
    open func makeInitialView() -> UIView {
      ScreenMessageView(
        title: texts.initial, message: texts.initialMessage, button: texts.load
      ) { [weak self] in self?.retry() }
    }

    /// Makes what is there while the first values are on their way.
    open func makeLoadingView() -> UIView { ScreenLoadingView(texts.loading) }

    /// Makes the view of the values.
    open func makePrimaryView() -> UIView { UIView() }

    /// Makes what is there when there are no values.
    ///
    /// Of a search it says so in the system's words.
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

    /// Makes what is there when nothing could be loaded.
    open func makeRetryView() -> UIView {
      ScreenErrorView(
        title: texts.failure, image: UIImage(systemName: "exclamationmark.triangle"),
        button: texts.tryAgain
      ) { [weak self] in self?.retry() }
    }

    /// Makes what lies over the values while they are refreshed and when they could not be.
    open func makeOverlayView() -> UIView {
      ScreenOverlayView(texts) { [weak self] in self?.retry() }
    }

    /// Brings the primary view up to date; called before it is shown, and again after each change
    /// of what this method has read of anything observable.
    ///
    /// It is to change nothing observable that it reads.
    open func updatePrimaryView() {}

    /// Called after a state is shown, also when it was shown before.
    open func didShow(_ state: ScreenState) {}

    /// Runs the screen again, after an error or because there were no results.
    open func retry() { screen.retry() }

    /// Loads again while what is there stays.
    open func refresh() { screen.refresh() }

    // MARK: - What is shown

    #if !os(tvOS)
      private func refreshByPulling() {
        refresh()
        Task { [weak refreshControl, screen] in
          await screen.waitUntilIdle()
          refreshControl?.endRefreshing()
        }
      }
    #endif

    /// Whether the person sees already that the values are being refreshed.
    private var isPulled: Bool {
      #if os(tvOS)
        false
      #else
        refreshesByPulling && refreshControl.isRefreshing
      #endif
    }

    private func readState() -> ScreenState {
      let state = screen.state
      if state.view == .primary { updatePrimaryView() }
      return state
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
        // Lists reach under bars; texts do not.
        if state.view == .primary {
          next.pin(to: view)
        } else {
          next.pin(to: view.safeAreaLayoutGuide)
        }
        shownView = next
      }
      #if !os(tvOS)
        if state.view == .primary, refreshesByPulling, let scrollView = next as? UIScrollView {
          scrollView.refreshControl = refreshControl
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
        NSLayoutConstraint.activate([
          overlayView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
          overlayView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
          overlayView.bottomAnchor.constraint(equalTo: view.safeAreaLayoutGuide.bottomAnchor),
        ])
        shownOverlay = overlayView
      }
      (overlayView as? any ScreenStateView)?.show(state)
    }

    private func tellAssistiveTechnology(of state: ScreenState, after previous: ScreenState?) {
      guard view.window != nil, let previous, state.view != .blank else { return }
      if state.view != previous.view {
        UIAccessibility.post(notification: .screenChanged, argument: shownView)
      } else if case .primary(.failed(let error)) = state, previous.error == nil {
        UIAccessibility.post(notification: .announcement, argument: texts.sentence(for: error))
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

  /// Asks a view controller for operations, from a screen that is made before it.
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
