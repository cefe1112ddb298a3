import AirfieldTestSupport
import Fieldstone
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The settings", .timeLimit(.minutes(10)))
struct SettingsScreenTests {
  let folder: TemporaryFolder
  let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "settings.json")
  }

  @Test("are the usual ones where nobody has set any, and reading them makes no file")
  func usual() async {
    let screen = SettingsScreen(file: file)
    await screen.load()
    #expect(screen.settings == AppSettings())
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("are kept, and another screen over the same file follows them")
  func kept() async {
    let screen = SettingsScreen(file: file)
    let other = SettingsScreen(file: file)
    await other.load()
    screen.form["theme"]?.text = "dark"
    screen.form["pageSize"]?.text = "25"
    screen.form["units"]?.text = "metres"
    #expect(await screen.save())
    #expect(screen.settings.theme == .dark)
    await eventually { other.settings == screen.settings }
    let later = SettingsScreen(file: file)
    await later.load()
    #expect(later.settings.pageSize == 25)
    #expect(later.settings.units == .metres)
    #expect(later.form["units"]?.text == "metres")
  }

  @Test(
    "refuse what can’t be chosen",
    arguments: [("theme", "pink"), ("pageSize", "26"), ("pageSize", "many"), ("units", "")])
  func wrong(_ key: String, _ text: String) async {
    let screen = SettingsScreen(file: file)
    screen.form[key]?.text = text
    #expect(await screen.save() == false)
    #expect(screen.settings == AppSettings())
    #expect(screen.form[key]?.messages.isEmpty == false)
  }

  @Test("of a file that can’t be read are left alone until somebody starts over")
  func corrupt() async throws {
    try Data("nonsense".utf8).write(to: file)
    let screen = SettingsScreen(file: file)
    await screen.load()
    #expect(screen.problem != nil)
    #expect(await screen.save() == false)
    #expect(screen.form.issues.isEmpty == false)
    await screen.startOver()
    #expect(screen.problem == nil)
    #expect(await screen.save())
  }
}
