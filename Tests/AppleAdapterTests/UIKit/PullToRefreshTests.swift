import FieldstoneCore
import FieldstoneScreens
import FieldstoneTesting
import Testing
import UIKit

@Suite("UIKit: a list that is pulled down", .timeLimit(.minutes(20)))
@MainActor
struct PullToRefreshTests {
  typealias Shelf = StatefulViewControllerTests.Shelf
  typealias ListViewController = StatefulViewControllerTests.ListViewController

  @Test("A list is pulled down to refresh it, and goes up when that is over")
  func pull() async {
    let shelf = Shelf(.success(["ada"]), .failure(MessageError("lost 4712")))
    shelf.open(0)
    let controller = ListViewController(ScreenModel(shelf.integrator, parameters: "q"))
    controller.refreshesByPulling = true
    let shown = Shown(controller)
    await StandIn.until { controller.list.isOnScreen }
    let control = controller.refreshControl
    #expect(controller.list.refreshControl === control && !control.isRefreshing)
    control.pull()
    await StandIn.until { controller.shownState?.isBusy == true }
    // The person sees it already.
    #expect(control.isRefreshing && !shown.texts.contains("Refreshing…"))
    shelf.open(1)
    await StandIn.until {
      !control.isRefreshing && shown.texts.contains { $0.contains("lost 4712") }
    }
    #expect(shelf.loads.count == 2)
    let plain = ListViewController(ScreenModel(showing: ScreenKnowledge(content: .some)))
    withExtendedLifetime(Shown(plain)) { #expect(plain.list.refreshControl == nil) }
  }

  @Test("Released after a pull, it ends its load")
  func pulledRelease() async {
    let shelf = Shelf(.success(["ada"]))
    shelf.open(0)
    weak var controller: ListViewController?
    do {
      let made = ListViewController(ScreenModel(shelf.integrator, parameters: "q"))
      made.refreshesByPulling = true
      controller = made
      let shown = Shown(made)
      await StandIn.until { made.list.isOnScreen }
      made.refreshControl.pull()
      await shelf.loads.elements(atLeast: 2)
      withExtendedLifetime(shown) {}
    }
    await shelf.cancels.elements(atLeast: 1)
    #expect(controller == nil)
  }

  @Test("In the Mac idiom of Mac Catalyst there is no refresh control, which UIKit refuses there")
  func macIdiom() async {
    let shelf = Shelf(.success(["ada"]), .success(["alan"]))
    shelf.open(0)
    let controller = ListViewController(ScreenModel(shelf.integrator, parameters: "q"))
    controller.idiom = .mac
    controller.refreshesByPulling = true
    let shown = Shown(controller)
    await StandIn.until { controller.list.isOnScreen }
    #expect(controller.list.refreshControl == nil)
    controller.refresh()
    await StandIn.until { shown.texts.contains("Refreshing…") }
    #expect(controller.list.refreshControl == nil)
  }

  @Test("A list that is not to be pulled down any more can't be, and keeps another control")
  func pullNoMore() {
    let controller = ListViewController(ScreenModel(showing: ScreenKnowledge(content: .some)))
    controller.refreshesByPulling = true
    let shown = Shown(controller)
    #expect(controller.list.refreshControl === controller.refreshControl)
    controller.refreshControl.beginRefreshing()
    controller.refreshesByPulling = false
    #expect(controller.list.refreshControl == nil && !controller.refreshControl.isRefreshing)
    let own = UIRefreshControl()
    controller.list.refreshControl = own
    controller.refreshesByPulling = false
    #expect(controller.list.refreshControl === own)
    withExtendedLifetime(shown) {}
  }
}
