import Fieldstone
import FieldstoneTesting
import Foundation
import Observation
import Testing

@Suite("Guide: from Mold")
@MainActor
struct MoldGuide {
  @Test("An error from a string, and the way back from NSError")
  func errors() {
    // snippet: mold-error
    let error = MessageError("Invalid email and password.")
    let text = error.localizedDescription
    let same = (error as NSError).localizedDescription
    let printed = "\(error)"  // the same once more
    // end
    #expect(text == "Invalid email and password." && same == text && printed == text)
  }

  @Test("All five handlers")
  func handlers() async {
    let (queue, log) = (OperationQueue(), Recorder<String>())
    // snippet: mold-handlers
    let login = ValidateLogin(email: "ada@example.org")
      .onStart { log.record("start") }
      .onReturn { log.record("return") }
      .onSuccess { session in log.record("welcome, \(session.email)") }
      .onFail { error in log.record(error.localizedDescription) }
      .onFinish { outcome in log.record("finish") }
    queue.addOperation(login)
    // end
    _ = await login.outcome
    #expect(log.elements == ["start", "return", "welcome, ada@example.org", "finish"])
  }

  struct Letter: Sendable {
    let text: String
  }

  // snippet: mold-screen
  @MainActor final class LettersScreen {
    private(set) var letters: [Letter] = []
    private let load: @Sendable () async throws -> [Letter]

    init(load: @escaping @Sendable () async throws -> [Letter]) { self.load = load }

    private(set) lazy var model = ScreenModel(
      operation: { [weak self, load] in
        StatefulBlockOperation(load).onSuccess { self?.letters = $0 }
      })

    var text: String {  // or a view for each
      switch model.state {
      case .initial: "You have no letters yet."
      case .blank: ""
      case .loading: "…"
      case .primary: letters.map(\.text).joined(separator: ", ")
      case .noResults: "Nothing here."
      case .retry(let error): "\(error.localizedDescription) Try again."
      }
    }
  }
  // end

  /// Waits until a screen shows a view, without polling.
  private func wait(for view: ScreenView, on model: ScreenModel) async {
    while model.state.view != view {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = model.state
        } onChange: {
          continuation.resume()
        }
      }
    }
  }

  @Test("Five views")
  func screen() async {
    let answers = Locked<[Result<[Letter], MessageError>]>([
      .failure(MessageError("No network.")), .success([]), .success([Letter(text: "Dear Ada")]),
    ])
    let screen = LettersScreen { try answers.withLock { $0.removeFirst() }.get() }
    #expect(screen.text == "You have no letters yet.")
    screen.model.appear()
    #expect(screen.text == "…")
    await wait(for: .retry, on: screen.model)
    #expect(screen.text == "No network. Try again.")
    screen.model.retry()
    await wait(for: .noResults, on: screen.model)
    screen.model.refresh()
    await wait(for: .primary, on: screen.model)
    #expect(screen.text == "Dear Ada")
  }

  @Test("To the main actor and back")
  func dispatch() async {
    let (screen, shown) = (LettersScreen { [] }, Gate())
    // snippet: mold-dispatch
    @Sendable func count() -> Int {  // not asynchronous, and on any thread
      MainDispatch.sync { screen.letters.count }
    }

    MainDispatch.async { shown.open() }
    // end
    #expect(count() == 0)
    await shown.wait()
  }

  @Test("A value in a file")
  func file() async throws {
    struct Settings: Codable, Sendable, Equatable {
      var pageSize = 20
    }
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    // snippet: mold-file
    let store = FileStore<Settings>(at: url)
    var settings = try await store.value(default: Settings())
    settings.pageSize = 50
    try await store.save(settings)
    // end
    #expect(try await FileStore<Settings>(at: url).value(default: Settings()) == settings)
  }

  @Test("A folder, and what was an archive in it")
  func folders() throws {
    struct Draft: Codable, Sendable {
      var text = ""
    }
    // snippet: mold-folders
    let caches = try StandardFolder.caches.url(application: "org.example.letters")
    let drafts = try FileStore<[Draft]>(
      "drafts.json", in: .state, application: "org.example.letters")
    // end
    #expect(caches.lastPathComponent == "org.example.letters")
    withExtendedLifetime(drafts) {}
  }

  @Test("In the background, and back")
  func background() async {
    let letters = [Letter(text: "Dear Ada"), Letter(text: "Dear Alan")]
    // snippet: mold-background
    @concurrent func count(_ letters: [Letter]) async -> Int {  // never on the main thread
      letters.reduce(0) { $0 + $1.text.count }
    }

    let characters = await count(letters)  // and back where it was called
    // end
    #expect(characters == 17)
  }

  @Test("Of which characters a text is made")
  func characters() {
    // snippet: mold-characters
    let isPhone = FieldCharacters.phone.containsAll(of: "+49 30 1234")
    let isWord = "Ada".allSatisfy(\.isLetter)
    let hasDigits = FieldCharacters.digits.containsAny(of: "runway 16")
    let digits = FieldCharacters.integer.filter("12 pieces")  // "12"
    // end
    #expect(isPhone && isWord && hasDigits && digits == "12")
  }

  @Test("Extensions")
  func extensions() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let date = Date(timeIntervalSince1970: 0)
    // snippet: mold-extensions
    let end = calendar.dateInterval(of: .month, for: date)?.end  // the first moment after it
    let name = "  Ada ".trimmed
    let sea = HexColor("#0b5a9e")
    // end
    #expect(end == Date(timeIntervalSince1970: 31 * 86_400))
    #expect(name == "Ada" && sea?.blue == 0x9e)
  }
}
