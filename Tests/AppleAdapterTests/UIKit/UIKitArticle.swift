import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneLoading
import FieldstoneScreens
import Testing
import UIKit

/// The code of the article about UIKit, which is compiled and run here.
@Suite("UIKit: the article's code", .timeLimit(.minutes(20)))
@MainActor
struct UIKitArticle {
  final class NameList: UIStackView {
    var names: [String] { arrangedSubviews.compactMap { ($0 as? UILabel)?.text } }

    func show(_ names: [String]) {
      for view in arrangedSubviews {
        removeArrangedSubview(view)
        view.removeFromSuperview()
      }
      for name in names {
        let label = UILabel()
        label.text = name
        addArrangedSubview(label)
      }
    }
  }

  // snippet: uikit-screen
  final class UsersViewController: StatefulViewController {
    private let users: Integrator<String, [String]>
    private let list = NameList()

    init(_ users: Integrator<String, [String]>) {
      self.users = users
      super.init(ScreenModel(users, parameters: "a", timing: .calm))
      texts.noResults = "No person has that name."
    }

    required init?(coder: NSCoder) { nil }

    override func makePrimaryView() -> UIView { list }

    /// Called before the list is shown, and again when what it reads has changed.
    override func updatePrimaryView() { list.show(users.phase.value ?? []) }
  }
  // end

  final class LoadLetters: StatefulOperation<[String]>, @unchecked Sendable {
    override func run() throws -> [String] { ["Dear Ada"] }
  }

  // snippet: uikit-operation
  final class LettersViewController: StatefulViewController {
    private let list = NameList()
    private var letters: [String] = []

    override func makeOperation() -> ScreenOperation? {
      ScreenOperation(LoadLetters().onSuccess { [weak self] in self?.letters = $0 })
    }

    override func makePrimaryView() -> UIView { list }
    override func updatePrimaryView() { list.show(letters) }
  }
  // end

  @Test("Letters come from an operation")
  func operation() async {
    let shown = Shown(LettersViewController())
    await StandIn.until { shown.texts == ["Dear Ada"] }
  }

  @Test("Views fill others, and colours make pictures")
  func extensions() {
    let (view, background, list) = (UIView(), UIView(), NameList())
    let (controller, map, box) = (UIViewController(), UIViewController(), UIView())
    // snippet: uikit-extensions
    view.addSubviewsAndFill(background, list)
    controller.embedChildViewController(map, in: box)
    let line = UIColor.random().image(size: CGSize(width: 1, height: 2))
    // end
    #expect(list.superview === view && map.parent === controller && line.size.height == 2)
  }

  @MainActor
  func replaceViews(of controller: StatefulViewController, compose: @escaping @MainActor () -> Void)
  {
    // snippet: uikit-views
    controller.initialView = ScreenMessageView(
      title: "You have no messages yet.", message: "Write the first one.", button: "Write"
    ) { compose() }
    controller.loadingView = ScreenLoadingView("Fetching messages…")
    // end
  }

  @Test("Names are shown, and views replaced")
  func screen() async {
    let users = Integrator(provider: ClosureProvider { (_: String) in ["ada", "alan"] })
    let controller = UsersViewController(users)
    var compositions = 0
    replaceViews(of: controller) { compositions += 1 }
    _ = controller.view
    controller.initialView.all(UIButton.self).first?.tap()
    let shown = Shown(controller)
    await StandIn.until { shown.texts == ["ada", "alan"] }
    #expect(compositions == 0)
  }

  @Test("A form is shown, and a question asked")
  func form() async throws {
    let account = FormViewControllerTests.Account()
    account.name.value = "Ada"
    account.code.value = "c"
    let saved = Locked<[String?]>([])
    let save: @MainActor () async -> Outcome<Void> = {
      await account.form.submit { saved.withLock { $0.append(account.name.value) } }
    }
    // snippet: uikit-form
    let controller = FormViewController(account.form) { await save() }
    controller.texts.submit = "Create account"
    // end
    let shown = Shown<UIViewController>(controller)
    shown.button("Create account")?.tap()
    await StandIn.until { account.form.phase == .submitted }
    #expect(saved.withLock { $0 } == ["Ada"])
    let asked = Task { await ask(controller) }
    await StandIn.until { shown.settledAlert != nil }
    #expect(shown.alert?.title == "Delete the account?")
    shown.alert?.choose("Delete")
    await StandIn.until { shown.settledAlert?.message == "Nobody is there." }
    let failed = shown.alert
    shown.alert?.choose("Try again")
    await StandIn.until {
      shown.settledAlert?.message == "Nobody is there." && shown.alert !== failed
    }
    shown.alert?.choose("OK")
    await asked.value
  }

  private func delete() async throws { throw MessageError("Nobody is there.") }

  private func ask(_ controller: UIViewController) async {
    // snippet: uikit-dialogs
    guard
      await controller.confirm(
        "Delete the account?", message: "It can't be undone.", confirm: "Delete",
        isDestructive: true)
    else { return }
    var isTried = true
    while isTried {
      do {
        try await controller.withLoadingOverlay("Deleting…") { try await delete() }
        isTried = false
      } catch {
        isTried = await controller.showError(error, retry: "Try again")
      }
    }
    // end
  }

  @Test("A colour is made of its digits")
  func color() {
    // snippet: uikit-color
    let accent = UIColor(hex: "#0b5a9e")
    let digits = accent?.hex  // "#0b5a9e"
    // end
    #expect(digits == "#0b5a9e")
  }
}
