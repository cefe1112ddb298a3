import FieldstoneCore
import FieldstoneLoading
import FieldstoneScreens
import FieldstoneTesting
import Observation
import Testing
import UIKit

@Suite("UIKit: a stateful view controller", .timeLimit(.minutes(20)))
@MainActor
struct StatefulViewControllerTests {
  /// Loads that are answered by hand, in order.
  final class Shelf: Sendable {
    private let answers = Locked<[Result<[String], any Error>]>([])
    let loads = Recorder<Void>()
    let cancels = Recorder<Void>()
    private let gates = [Gate(), Gate(), Gate()]

    init(_ answers: Result<[String], any Error>...) {
      for answer in answers { self.answers.withLock { $0.append(answer) } }
    }

    func load() async throws -> [String] {
      let gate = gates[loads.count]
      loads.record(())
      return try await withTaskCancellationHandler {
        try await gate.waitUnlessCancelled()
        return try answers.withLock { $0.removeFirst() }.get()
      } onCancel: {
        cancels.record(())
      }
    }

    /// Lets loads be answered, the first one being number 0.
    func open(_ numbers: Int...) {
      for number in numbers { gates[number].open() }
    }

    @MainActor var integrator: Integrator<String, [String]> {
      Integrator(provider: ClosureProvider { (_: String) in try await self.load() })
    }
  }

  final class NamesViewController: StatefulViewController {
    let names: Integrator<String, [String]>
    let label = UILabel()
    var shown: [ScreenView] = []

    init(_ names: Integrator<String, [String]>) {
      self.names = names
      super.init(ScreenModel(names, parameters: "q"))
    }

    required init?(coder: NSCoder) { nil }

    override func makePrimaryView() -> UIView { label }

    override func updatePrimaryView() {
      label.text = names.phase.value?.joined(separator: ", ")
    }

    override func didShow(_ state: ScreenState) {
      if state.view != shown.last { shown.append(state.view) }
    }
  }

  @Test("The first appearance loads, at once and once, and the values come in place of the spinner")
  func appearance() async {
    let shelf = Shelf(.success(["ada", "alan"]))
    let controller = NamesViewController(shelf.integrator)
    #expect(controller.viewIfLoaded == nil)
    let shown = Shown(controller)
    #expect(controller.shown == [.initial, .loading])
    #expect(shown.texts == ["Loading…"])
    #expect(shown.isSpinning)
    controller.viewIsAppearing(false)
    shelf.open(0)
    await StandIn.until { shown.texts == ["ada, alan"] }
    #expect(shown.visible(UIActivityIndicatorView.self).isEmpty)
    controller.viewIsAppearing(false)
    #expect(shelf.loads.count == 1)
    #expect(controller.shown == [.initial, .loading, .primary])
  }

  @Test("Before it appears, it loads nothing and shows the initial view, whose button loads")
  func initial() async {
    let shelf = Shelf(.success(["ada"]))
    let controller = NamesViewController(shelf.integrator)
    controller.texts.initial = "Nobody yet."
    controller.texts.initialMessage = "Load them."
    let window = UIWindow(frame: .zero)
    window.addSubview(controller.view)
    #expect(shelf.loads.count == 0 && controller.shownState?.view == .initial)
    let view = controller.initialView as? ScreenMessageView
    #expect(view?.title == "Nobody yet." && view?.message == "Load them.")
    view?.all(UIButton.self).first?.tap()
    await StandIn.until { controller.shown.contains(.loading) }
    shelf.open(0)
    await StandIn.until { controller.label.text == "ada" && controller.label.window != nil }
  }

  @Test(
    "An error is shown with its message, and its button tries again, as does that of no results")
  func retry() async throws {
    let shelf = Shelf(.failure(MessageError("no network")), .success([]), .success(["ada"]))
    shelf.open(0, 1, 2)
    let shown = Shown(NamesViewController(shelf.integrator))
    await StandIn.until { shown.texts.contains("no network") }
    #expect(shown.texts == ["That did not work.", "no network"])
    let title = try #require(shown.visible(UILabel.self).first)
    #expect(title.accessibilityTraits.contains(.header))
    let button = try #require(shown.button("Try again"))
    #expect(button.accessibilityLabel == "Try again" && button.isAccessibilityElement)
    button.tap()
    await StandIn.until { shown.texts == ["No results."] }
    shown.button("Try again")?.tap()
    await StandIn.until { shown.texts == ["ada"] }
    // How long the spinner is there is up to the load.
    let views = shown.controller.shown.filter { $0 != .loading }
    #expect(views == [.initial, .retry, .noResults, .primary])
  }

  @Test("A refresh and its error lie over the values, which stay; its button tries again")
  func overlay() async {
    let shelf = Shelf(
      .success(["ada"]), .failure(MessageError("lost 4711")), .success(["ada", "alan"]))
    shelf.open(0)
    let shown = Shown(NamesViewController(shelf.integrator))
    await StandIn.until { shown.texts == ["ada"] }
    shown.controller.refresh()
    await StandIn.until { shown.texts.contains("Refreshing…") }
    #expect(shown.texts == ["ada", "Refreshing…"] && shown.button("Try again") == nil)
    shelf.open(1)
    await StandIn.until { shown.button("Try again") != nil }
    #expect(shown.texts == ["ada", "That did not work. lost 4711"])
    #expect(!shown.isSpinning)
    #expect(shown.announcements(with: "lost 4711") == ["!That did not work. lost 4711"])
    shelf.open(2)
    shown.button("Try again")?.tap()
    await StandIn.until { shown.texts == ["ada, alan"] }
    #expect(shown.controller.shown == [.initial, .loading, .primary])
  }

  @Test("Below the rows of a list there is room for the overlay, as long as it is there")
  func room() async {
    let shelf = Shelf(.success(["ada"]), .failure(MessageError("lost")), .success(["alan"]))
    shelf.open(0)
    let controller = ListViewController(ScreenModel(shelf.integrator, parameters: "q"))
    let shown = Shown(controller)
    let list = controller.list
    list.contentInset.bottom = 5
    await StandIn.until { list.isOnScreen }
    controller.overlayView.frame = CGRect(x: 0, y: 0, width: 320, height: 40)
    controller.refresh()
    await StandIn.until { shown.texts.contains("Refreshing…") }
    for _ in 0..<2 {
      controller.viewDidLayoutSubviews()
      #expect(list.contentInset.bottom == 45 && list.verticalScrollIndicatorInsets.bottom == 40)
    }
    shelf.open(1)
    await StandIn.until { shown.button("Try again") != nil }
    shelf.open(2)
    shown.button("Try again")?.tap()
    await StandIn.until { !controller.overlayView.isOnScreen }
    controller.viewDidLayoutSubviews()
    #expect(list.contentInset.bottom == 5 && list.verticalScrollIndicatorInsets.bottom == 0)
  }

  @Test("Each of the five views and the overlay can be replaced, also while it is shown")
  func replaced() async {
    let shelf = Shelf(.failure(MessageError("no network")), .success(["ada"]), .success(["ada"]))
    let controller = NamesViewController(shelf.integrator)
    let views = (0..<7).map { _ in UIView() }
    controller.initialView = views[0]
    controller.loadingView = views[1]
    controller.retryView = views[2]
    controller.overlayView = views[4]
    _ = controller.view
    #expect(views[0].superview === controller.view)
    controller.initialView = views[5]
    #expect(views[0].superview == nil && views[5].superview === controller.view)
    let shown = Shown(controller)
    #expect(views[1].isOnScreen && views[5].superview == nil)
    shelf.open(0, 1)
    await StandIn.until { views[2].isOnScreen }
    controller.primaryView = views[3]
    controller.retry()
    await StandIn.until { views[3].isOnScreen }
    controller.refresh()
    await StandIn.until { views[4].isOnScreen }
    controller.overlayView = views[6]
    #expect(!views[4].isOnScreen && views[6].isOnScreen && views[3].isOnScreen)
    shelf.open(2)
    await StandIn.until { !views[6].isOnScreen }
    withExtendedLifetime(shown) {}
  }

  @Test("What the primary view has read is followed without a change of state")
  func content() async {
    let shelf = Shelf(.success(["ada"]))
    shelf.open(0)
    let integrator = shelf.integrator
    let field = Counted()
    final class Controller: StatefulViewController {
      let counted: Counted
      var counts: [Int] = []
      init(_ screen: ScreenModel, _ counted: Counted) {
        self.counted = counted
        super.init(screen)
      }
      required init?(coder: NSCoder) { nil }
      override func updatePrimaryView() {
        counts.append(counted.count)
      }
    }
    let controller = Controller(ScreenModel(integrator, parameters: "q"), field)
    let shown = Shown(controller)
    await StandIn.until { !controller.counts.isEmpty }
    field.count = 1
    await StandIn.until { controller.counts.last == 1 }
    field.count = 2
    await StandIn.until { controller.counts.last == 2 }
    withExtendedLifetime(shown) {}
  }

  @Test("A change of the content is shown once")
  func contentOnce() async {
    let shelf = Shelf(.success(["ada"]))
    shelf.open(0)
    final class Controller: StatefulViewController {
      let names: Integrator<String, [String]>
      var shown: [Int] = []
      init(_ names: Integrator<String, [String]>) {
        self.names = names
        super.init(ScreenModel(names, parameters: "q"))
      }
      required init?(coder: NSCoder) { nil }
      override func updatePrimaryView() { shown.append(names.phase.value?.count ?? 0) }
    }
    let integrator = shelf.integrator
    let controller = Controller(integrator)
    let shown = Shown(controller)
    await StandIn.until { controller.shown.last == 1 }
    // Which of its followers a change reaches first is not defined: some reach the view's first.
    for count in 2...40 {
      integrator.update { $0.append("alan") }
      await StandIn.until { controller.shown.last == count }
    }
    #expect(controller.shown.drop { $0 < 2 } == Array(2...40)[...])
    withExtendedLifetime(shown) {}
  }

  @Test("A message changes in its view, whose button may have the focus")
  func messageView() throws {
    let view = ScreenErrorView(title: "No", message: "first", button: "Try again")
    let content = try #require(view.all(UIContentUnavailableView.self).first)
    view.show(.retry(MessageError("second")))
    view.title = "Not again"
    #expect(view.all(UIContentUnavailableView.self).map(ObjectIdentifier.init) == [.init(content)])
    #expect(content.all(UILabel.self).map(\.text) == ["Not again", "second"])
  }

  @Test("A retry that fails again before the spinner is shown is announced, and no other change is")
  func retryAnnounced() async {
    let (time, error) = (ManualTime(), MessageError("lost 4713"))
    let controller = LettersViewController(timing: .calm, time: time.source)
    let shelf = Shelf(.failure(error), .failure(error))
    controller.shelf = shelf
    shelf.open(0, 1)
    let shown = Shown(controller)
    await StandIn.until { controller.shown.last == .retry }
    // The view is a new one, to which assistive technology moves.
    #expect(shown.announcements(with: "4713").isEmpty)
    controller.retryView = ScreenErrorView(title: "No")
    #expect(shown.announcements(with: "4713").isEmpty)
    let count = controller.shown.count
    controller.retry()
    await StandIn.until { controller.shown.count > count }
    #expect(controller.shown.allSatisfy { $0 != .loading })
    #expect(shown.announcements(with: "4713") == ["!That did not work. lost 4713"])
  }

  @Test("Assistive technology is led to each view that is another one, and not before it is there")
  func screenChanges() async {
    let shelf = Shelf(.failure(MessageError("no network")), .success(["ada"]))
    let controller = NamesViewController(shelf.integrator)
    func posted() -> [UIView] {
      StandIn.posts.filter { $0.notification == .screenChanged }.compactMap {
        $0.argument as? UIView
      }.filter { view in
        [
          controller.initialView, controller.loadingView, controller.retryView,
          controller.primaryView,
        ].contains { $0 === view }
      }
    }
    _ = controller.view
    #expect(posted().isEmpty)
    let shown = Shown(controller)
    #expect(posted().map(ObjectIdentifier.init) == [ObjectIdentifier(controller.loadingView)])
    shelf.open(0)
    await StandIn.until { controller.shown.last == .retry }
    controller.retry()
    await StandIn.until { controller.shown.last == .loading }
    shelf.open(1)
    await StandIn.until { controller.shown.last == .primary }
    let views = [
      controller.loadingView, controller.retryView, controller.loadingView, controller.primaryView,
    ]
    #expect(posted().map(ObjectIdentifier.init) == views.map(ObjectIdentifier.init))
    let loading = controller.loadingView
    #expect(loading.isAccessibilityElement && loading.accessibilityLabel == "Loading…")
    #expect(loading.accessibilityTraits.contains(.updatesFrequently))
    withExtendedLifetime(shown) {}
  }

  @Test("Nothing is posted to assistive technology as long as there is no window")
  func windowless() async {
    let shelf = Shelf(.failure(MessageError("no network")))
    let controller = NamesViewController(shelf.integrator)
    _ = controller.view
    controller.retry()
    await StandIn.until { controller.shown.last == .loading }
    shelf.open(0)
    await StandIn.until { controller.shown.last == .retry }
    let views = [controller.loadingView, controller.retryView]
    let posts = StandIn.posts.filter { post in views.contains { $0 === post.argument as? UIView } }
    #expect(posts.isEmpty)
  }

  @Test("Released under way, it ends its call; nothing keeps it alive")
  func release() async {
    let shelf = Shelf(.success(["ada"]))
    weak var controller: NamesViewController?
    do {
      let shown = Shown(NamesViewController(shelf.integrator))
      controller = shown.controller
      await shelf.loads.elements(atLeast: 1)
      // Made, so that their closures exist, too.
      _ = (shown.controller.retryView, shown.controller.noResultsView, shown.controller.overlayView)
      #expect(shelf.cancels.count == 0)
    }
    await shelf.cancels.elements(atLeast: 1)
    #expect(controller == nil)
  }

  @Test("Who holds the screen keeps the call of a view controller that is released")
  func held() async {
    let shelf = Shelf(.success(["ada"]))
    let screen = ScreenModel(shelf.integrator, parameters: "q")
    var shown: Shown<StatefulViewController>? = Shown(StatefulViewController(screen))
    await shelf.loads.elements(atLeast: 1)
    shown = nil
    _ = shown
    shelf.open(0)
    let next = Shown(StatefulViewController(screen))
    await StandIn.until { next.controller.shownState?.view == .primary }
    #expect(shelf.cancels.count == 0 && shelf.loads.count == 1)
  }

  final class ListViewController: StatefulViewController {
    let list = UIScrollView()
    override func makePrimaryView() -> UIView { list }
  }

  @Test("A search without results says so in the system's words, and can be tried again")
  func search() async {
    let shelf = Shelf(.success([]), .success(["ada"]))
    shelf.open(0, 1)
    let controller = NamesViewController(shelf.integrator)
    controller.isSearch = true
    let shown = Shown(controller)
    await StandIn.until { shown.texts.first == "No Results (system)" }
    shown.button("Try again")?.tap()
    await StandIn.until { shown.texts == ["ada"] }
  }

  @Test("The words are those of the process, unless a screen has others")
  func words() {
    let controller = StatefulViewController(ScreenModel(showing: ScreenKnowledge()))
    controller.texts = .german
    let shown = Shown(controller)
    #expect(shown.texts == ["Hier ist noch nichts."] && shown.button("Laden") != nil)
  }

  final class LettersViewController: StatefulViewController {
    let label = UILabel()
    var shelf: Shelf?
    var letters: [String] = []
    var shown: [ScreenView] = []

    override func makeOperation() -> ScreenOperation? {
      guard let shelf else { return nil }
      return ScreenOperation(
        StatefulBlockOperation { try await shelf.load() }
          .onSuccess { [weak self] in self?.letters = $0 })
    }

    override func makePrimaryView() -> UIView { label }
    override func updatePrimaryView() { label.text = letters.joined(separator: ", ") }
    override func didShow(_ state: ScreenState) { shown.append(state.view) }
  }

  @Test("An operation that a method makes loads, and where none is made nothing is loaded")
  func operation() async {
    let controller = LettersViewController()
    let shown = Shown(controller)
    #expect(shown.texts == ["Nothing here yet."] && !controller.screen.state.isBusy)
    let shelf = Shelf(.success(["ada"]), .success([]))
    shelf.open(0, 1)
    controller.shelf = shelf
    shown.button("Load")?.tap()
    await StandIn.until { shown.texts == ["ada"] }
    controller.refresh()
    await StandIn.until { shown.texts == ["No results."] }
    #expect(shelf.loads.count == 2)
  }

  @Test("Made without a screen, it is released under way and ends its operation")
  func operationRelease() async {
    let shelf = Shelf(.success(["ada"]))
    weak var controller: LettersViewController?
    do {
      let made = LettersViewController(on: OperationQueue(), timing: .immediate)
      made.shelf = shelf
      let shown = Shown(made)
      controller = made
      await shelf.loads.elements(atLeast: 1)
      withExtendedLifetime(shown) {}
    }
    await shelf.cancels.elements(atLeast: 1)
    #expect(controller == nil)
  }

  @Test("During the delay of the first load there is a blank, of which nothing is said")
  func blank() async {
    let (time, shelf) = (ManualTime(), Shelf(.success(["ada"])))
    let controller = LettersViewController(timing: .calm, time: time.source)
    controller.shelf = shelf
    let shown = Shown(controller)
    #expect(controller.shown == [.initial, .blank])
    #expect(shown.texts.isEmpty && shown.visible(UIButton.self).isEmpty && !shown.isSpinning)
    #expect(!controller.initialView.isOnScreen)
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(200))
    await StandIn.until { shown.texts == ["Loading…"] }
    let posts = StandIn.posts.filter { post in
      (post.argument as? UIView)?.isDescendant(of: shown.window) == true
    }
    #expect(posts.count == 1 && (posts.first?.argument as? UIView) === controller.loadingView)
  }

  @Test("One that waits for the person loads when asked to")
  func onRequest() async {
    let shelf = Shelf(.success(["ada"]))
    shelf.open(0)
    let controller = LettersViewController(loadsOnAppear: false)
    controller.shelf = shelf
    let shown = Shown(controller)
    #expect(shown.texts == ["Nothing here yet."] && shelf.loads.count == 0)
    shown.button("Load")?.tap()
    await StandIn.until { shown.texts == ["ada"] }
  }

  @Test("A storyboard gives it a screen by its creator, or it makes its operations")
  func storyboard() async {
    let screen = ScreenModel { .some }
    let letters = LettersViewController(coder: NSCoder())
    letters?.shelf = Shelf(.success(["ada"]))
    letters?.shelf?.open(0)
    letters?.screen.appear()
    await StandIn.until { letters?.letters == ["ada"] }
    #expect(StatefulViewController(coder: NSCoder(), screen: screen)?.screen === screen)
    #expect(ScreenMessageView(coder: NSCoder()) == nil)
  }
}

@Observable
@MainActor
final class Counted {
  var count = 0
}
