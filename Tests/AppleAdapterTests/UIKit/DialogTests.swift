import FieldstoneCore
import FieldstoneScreens
import FieldstoneTesting
import Testing
import UIKit

@Suite("UIKit: dialogs", .timeLimit(.minutes(20)))
@MainActor
struct DialogTests {
  @Test("An alert waits for its button")
  func alert() async throws {
    let shown = Shown(UIViewController())
    let isOver = Gate()
    let task = Task {
      await shown.controller.showAlert("Saved", message: "All of it.", button: "Fine")
      isOver.open()
    }
    await StandIn.until { shown.settledAlert != nil }
    let alert = try #require(shown.alert)
    #expect(alert.preferredStyle == .alert)
    #expect(alert.title == "Saved" && alert.message == "All of it.")
    #expect(alert.actions.map(\.title) == ["Fine"] && !isOver.isOpen)
    alert.choose("Fine")
    await task.value
    #expect(isOver.isOpen && shown.alert == nil)
  }

  @Test("A confirmation answers as its buttons say", arguments: [true, false])
  func confirmation(isConfirmed: Bool) async throws {
    let shown = Shown(UIViewController())
    let task = Task {
      await shown.controller.confirm(
        "Delete?", message: "It can't be undone.", confirm: "Delete", cancel: "Keep",
        isDestructive: true)
    }
    await StandIn.until { shown.settledAlert != nil }
    #expect(shown.alert?.actions.map(\.title) == ["Keep", "Delete"])
    #expect(shown.alert?.actions.map(\.style) == [.cancel, .destructive])
    // The Return key must not destroy anything.
    #expect(shown.alert?.preferredAction?.title == "Keep")
    shown.alert?.choose(isConfirmed ? "Delete" : "Keep")
    #expect(await task.value == isConfirmed)
  }

  @Test(
    "An error is shown with its message, and says whether to try again", arguments: [true, false])
  func error(isRetried: Bool) async {
    let shown = Shown(UIViewController())
    let task = Task {
      await shown.controller.showError(MessageError("no network"), retry: "Again")
    }
    await StandIn.until { shown.settledAlert != nil }
    #expect(shown.alert?.title == "That did not work." && shown.alert?.message == "no network")
    #expect(shown.alert?.actions.map(\.title) == ["OK", "Again"])
    #expect(shown.alert?.preferredAction?.title == "Again")
    shown.alert?.choose(isRetried ? "Again" : "OK")
    #expect(await task.value == isRetried)
  }

  @Test(
    "A cancellation is no error, and is not shown",
    arguments: [CancellationError(), CallCancelled(.superseded)] as [any Error])
  func cancellation(error: any Error) async {
    let shown = Shown(UIViewController())
    #expect(await shown.controller.showError(error) == false)
    #expect(shown.alert == nil)
  }

  @Test("A dialog that goes without an answer is not confirmed")
  func dismissed() async {
    let shown = Shown(UIViewController())
    let task = Task { await shown.controller.confirm("Go on?") }
    await StandIn.until { shown.settledAlert != nil }
    shown.controller.dismiss(animated: false)
    #expect(await task.value == false)
  }

  @Test("Where there is no window, a question is not confirmed")
  func windowless() async {
    #expect(await UIViewController().confirm("Go on?") == false)
  }

  final class Presenter: UIViewController {
    var presentations = 0

    override func present(
      _ viewControllerToPresent: UIViewController, animated flag: Bool,
      completion: (() -> Void)? = nil
    ) {
      presentations += 1
      super.present(viewControllerToPresent, animated: flag, completion: completion)
    }
  }

  @Test("Cancelling who asks takes the dialog away, and who is cancelled before never shows one")
  func cancelled() async {
    let shown = Shown(Presenter())
    let task = Task { await shown.controller.confirm("Go on?") }
    await StandIn.until { shown.alert != nil }
    task.cancel()
    #expect(await task.value == false)
    await StandIn.until { shown.alert == nil }
    let late = Task { await shown.controller.confirm("And now?") }
    late.cancel()
    #expect(await late.value == false)
    #expect(shown.alert == nil && shown.controller.presentations == 1)
  }

  @Test("A transition that refuses to animate and ends all the same is waited for once")
  func refusedAnimation() async {
    let shown = Shown(UIViewController())
    shown.window.holdsTransitions = true
    shown.window.refusesAnimations = true
    shown.controller.present(UIViewController(), animated: true)
    let task = Task.immediate { await shown.controller.confirm("Go on?") }
    shown.window.finishTransitions()
    shown.window.holdsTransitions = false
    await StandIn.until { shown.settledAlert != nil }
    shown.alert?.choose("OK")
    #expect(await task.value)
  }

  @Test("A dialog lies over what is presented already, another dialog included")
  func stacked() async {
    let shown = Shown(UIViewController())
    shown.controller.present(UIViewController(), animated: false)
    let first = Task { await shown.controller.confirm("First?") }
    await StandIn.until { shown.settledAlert?.title == "First?" }
    let second = Task { await shown.controller.confirm("Second?") }
    await StandIn.until { shown.settledAlert?.title == "Second?" }
    shown.alert?.choose("OK")
    #expect(await second.value)
    await StandIn.until { shown.settledAlert?.title == "First?" }
    shown.alert?.choose("Cancel")
    #expect(await first.value == false)
  }

  @Test("A dialog that is asked for while another one is on its way waits for that")
  func presenting() async {
    let shown = Shown(UIViewController())
    shown.window.holdsTransitions = true
    shown.controller.present(UIViewController(), animated: true)
    // Both wait from here on. Which of them is woken first is not defined.
    let first = Task.immediate { await shown.controller.confirm("First?") }
    let second = Task.immediate { await shown.controller.confirm("Second?") }
    await turns()
    #expect(shown.alert == nil)
    shown.window.finishTransitions()
    await StandIn.until { shown.alert != nil }
    let earlier = shown.alert?.title
    #expect(shown.alert?.isBeingPresented == true)
    await turns()
    #expect(shown.alert?.title == earlier)
    shown.window.finishTransitions()
    await StandIn.until { shown.alert?.title != earlier }
    #expect([earlier, shown.alert?.title].compactMap(\.self).sorted() == ["First?", "Second?"])
    shown.window.holdsTransitions = false
    shown.window.finishTransitions()
    shown.alert?.choose("OK")
    await StandIn.until { shown.settledAlert?.title == earlier }
    shown.alert?.choose("OK")
    #expect(await first.value)
    #expect(await second.value)
    #expect(shown.window.refusals == 0)
  }

  @Test("A dialog that is asked for while another one is going waits until that is gone")
  func dismissing() async {
    let shown = Shown(UIViewController())
    let first = Task { await shown.controller.confirm("First?") }
    await StandIn.until { shown.settledAlert != nil }
    shown.window.holdsTransitions = true
    shown.alert?.choose("OK")
    #expect(shown.alert?.isBeingDismissed == true)
    let second = Task.immediate { await shown.controller.confirm("Second?") }
    await turns()
    shown.window.holdsTransitions = false
    shown.window.finishTransitions()
    #expect(await first.value)
    await StandIn.until { shown.settledAlert?.title == "Second?" }
    shown.alert?.choose("Cancel")
    #expect(await second.value == false)
  }

  @Test("Cancelling who asks while the dialog is on its way takes it away when it is there")
  func cancelledUnderWay() async {
    let shown = Shown(UIViewController())
    shown.window.holdsTransitions = true
    let task = Task { await shown.controller.confirm("Go on?") }
    await StandIn.until { shown.alert != nil }
    task.cancel()
    #expect(await task.value == false)
    await turns()
    #expect(shown.alert?.isBeingPresented == true)
    shown.window.holdsTransitions = false
    shown.window.finishTransitions()
    await StandIn.until { shown.alert == nil }
    // One that was cancelled while it waited is never shown.
    shown.window.holdsTransitions = true
    shown.controller.present(UIViewController(), animated: true)
    let late = Task.immediate { await shown.controller.confirm("And now?") }
    await turns()
    late.cancel()
    shown.window.finishTransitions()
    #expect(await late.value == false)
    #expect(shown.alert == nil && shown.window.transitionCount == 0)
  }

  /// Lets all that can go on now go on.
  private func turns() async {
    for _ in 0..<20 { await Task.yield() }
  }

  @Test("A loading overlay lets no touch through while its body runs, and goes also with an error")
  func overlay() async throws {
    let shown = Shown(UIViewController())
    let field = UITextField()
    var taps = 0
    let button = UIButton(configuration: .plain(), primaryAction: UIAction { _ in taps += 1 })
    shown.controller.view.addSubview(field)
    shown.controller.view.addSubview(button)
    field.becomeFirstResponder()
    button.tap()
    let gate = Gate()
    let task = Task {
      try await shown.controller.withLoadingOverlay("Saving 4712…") {
        await gate.wait()
        throw MessageError("no network")
      }
    }
    await gate.arrivals(atLeast: 1)
    #expect(shown.texts == ["Saving 4712…"])
    #expect(shown.isSpinning)
    let overlay = try #require(shown.visible(LoadingOverlayView.self).first)
    #expect(overlay.accessibilityViewIsModal && !field.isFirstResponder)
    button.tap()
    #expect(taps == 1)
    let posts = StandIn.posts.filter { ($0.argument as? UIView) === overlay }
    #expect(posts.map(\.notification) == [.screenChanged])
    #expect(overlay.isAccessibilityElement && overlay.accessibilityLabel == "Saving 4712…")
    #expect(overlay.accessibilityTraits == .updatesFrequently)
    gate.open()
    await #expect(throws: MessageError.self) { try await task.value }
    #expect(shown.visible(LoadingOverlayView.self).isEmpty)
    button.tap()
    #expect(taps == 2)
    overlay.dismiss()
  }

  @Test("An overlay without a text is said to be loading")
  func silentOverlay() {
    let overlay = LoadingOverlayView("", over: UIView())
    #expect(overlay.isAccessibilityElement && overlay.accessibilityLabel == "Loading…")
  }

  @Test(
    "A scroll view under overlays does not scroll, and then as before", arguments: [true, false])
  func scrolling(isEnabled: Bool) {
    let list = UIScrollView()
    list.isScrollEnabled = isEnabled
    let overlays = (1...2).map { LoadingOverlayView("\($0)", over: list) }
    #expect(!list.isScrollEnabled)
    overlays[0].dismiss()
    #expect(!list.isScrollEnabled)
    overlays[1].dismiss()
    #expect(list.isScrollEnabled == isEnabled)
    list.isScrollEnabled.toggle()
    for overlay in overlays { overlay.dismiss() }
    #expect(list.isScrollEnabled != isEnabled)
    let removed = LoadingOverlayView("3", over: list)
    #expect(!list.isScrollEnabled)
    removed.removeFromSuperview()
    removed.dismiss()
    #expect(list.isScrollEnabled != isEnabled)
  }

  @Test("Overlays may overlap, and the last one to end uncovers the view")
  func overlapping() async {
    let shown = Shown(UIViewController())
    let gates = [Gate(), Gate()]
    let tasks = gates.map { gate in
      Task { await shown.controller.withLoadingOverlay { await gate.wait() } }
    }
    for gate in gates { await gate.arrivals(atLeast: 1) }
    gates[0].open()
    await tasks[0].value
    #expect(shown.visible(LoadingOverlayView.self).count == 1)
    gates[1].open()
    await tasks[1].value
    #expect(shown.visible(LoadingOverlayView.self).isEmpty)
  }
}
