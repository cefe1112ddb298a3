import Accessibility
import FieldstoneCore
import FieldstoneScreens
import FieldstoneTesting
import SwiftUI
import Testing

/// Loads that are answered by hand, one after the other.
@MainActor
private final class Answers {
  typealias Content = ScreenKnowledge.Content
  private var gates: [Gate] = []
  private var results: [Result<Content, any Error>] = []
  let loads = Recorder<Void>()

  func load() async throws -> Content {
    let gate = Gate()
    gates.append(gate)
    loads.record(())
    try await gate.waitUnlessCancelled()
    return try results.removeFirst().get()
  }

  /// Ends the load under way.
  func answer(_ result: Result<Content, any Error>) {
    results.append(result)
    gates.removeFirst().open()
  }

  var screen: ScreenModel { ScreenModel { try await self.load() } }
}

/// Counts its taps, as long as it is there.
private struct Counter: View {
  @State private var count = 0

  var body: some View {
    Button("Count \(count)") { count += 1 }
  }
}

@Suite("A screen in SwiftUI")
@MainActor
struct StatefulViewTests {
  private let answers = Answers()

  /// Waits until a load was begun.
  private func begun<Root>(_ host: ViewHost<Root>, _ count: Int = 1) async {
    await answers.loads.elements(atLeast: count)
    host.update()
  }

  @Test(
    "The first appearance loads, and says so; then the values are there", .timeLimit(.minutes(20)))
  func loads() async {
    let screen = answers.screen
    let host = ViewHost(StatefulView(screen) { Text("values") })
    #expect(screen.state.view == .loading)
    #expect(host.find("ProgressView")?.traits.contains(.updatesFrequently) == true)
    #expect(host.find("ProgressView")?.words == "Loading…")
    #expect(!host.words.contains("values"))
    await begun(host)
    answers.answer(.success(.some))
    await host.wait { $0.words == "values" }
    #expect(host.find("ProgressView") == nil)
    #expect(answers.loads.count == 1)
  }

  /// Shows another screen at the place of the first one.
  private struct Detail: View {
    let screens: [ScreenModel]
    @State private var index = 0

    var body: some View {
      Button("Next") { index += 1 }
      StatefulView(screens[index]) { Text("values \(index)") }
    }
  }

  @Test("Another screen at the same place loads, too", .timeLimit(.minutes(20)))
  func another() async throws {
    let host = ViewHost(Detail(screens: [answers.screen, answers.screen]))
    await begun(host)
    answers.answer(.success(.some))
    await host.wait { $0.words == "Next values 0" }
    try host.tap("Button", "Next")
    await begun(host, 2)
    answers.answer(.success(.some))
    await host.wait { $0.words == "Next values 1" }
  }

  @Test("What failed says why, and is tried again by its button", .timeLimit(.minutes(20)))
  func retry() async throws {
    let host = ViewHost(StatefulView(answers.screen) { Text("values") })
    await begun(host)
    answers.answer(.failure(MessageError("There is no network; go where there is one.")))
    await host.wait { $0.words.contains("no network") }
    let title = try #require(host.find("Label"))
    #expect(title.words == "That did not work.")
    #expect(title.traits.contains(.isHeader))
    try host.tap("Button", "Try again")
    #expect(host.words == "Loading…")
    await begun(host, 2)
    answers.answer(.success(.some))
    await host.wait { $0.words == "values" }
  }

  @Test("Where there are no results, the button loads again", .timeLimit(.minutes(20)))
  func noResults() async throws {
    let host = ViewHost(StatefulView(answers.screen) { Text("values") })
    await begun(host)
    answers.answer(.success(.empty))
    await host.wait { $0.words.contains("No results.") }
    #expect(host.find("Label")?.traits.contains(.isHeader) == true)
    try host.tap("Button", "Try again")
    await begun(host, 2)
    answers.answer(.success(.some))
    await host.wait { $0.words == "values" }
  }

  @Test(
    "A refresh and its error lie over the values, which stay as they are", .timeLimit(.minutes(20)))
  func refresh() async throws {
    let screen = answers.screen
    let host = ViewHost(StatefulView(screen) { Counter() })
    await begun(host)
    answers.answer(.success(.some))
    await host.wait { $0.words == "Count 0" }
    try host.tap("Button", "Count 0")
    screen.refresh()
    host.update()
    #expect(host.words == "Refreshing… Count 1")
    #expect(host.find("ProgressView")?.traits.contains(.updatesFrequently) == true)
    await begun(host, 2)
    answers.answer(.failure(MessageError("There is no network.")))
    await host.wait { $0.find("ProgressView") == nil }
    #expect(host.words == "There is no network. Try again Count 1")
    try host.tap("Button", "Try again")
    await begun(host, 3)
    answers.answer(.success(.some))
    await host.wait { $0.words == "Count 1" }
  }

  @Test("What is pulled down goes up when the refresh is over", .timeLimit(.minutes(20)))
  func pull() async throws {
    let screen = answers.screen
    let host = ViewHost(StatefulView(screen) { Text("values") })
    await begun(host)
    answers.answer(.success(.some))
    await host.wait { $0.words == "values" }
    let pull = Task { try await host.pull() }
    await answers.loads.elements(atLeast: 2)
    #expect(screen.state.isBusy)
    answers.answer(.success(.empty))
    try await pull.value
    #expect(screen.state.view == .noResults)
  }

  @Test("During the delay of the first load nothing is said, in the room of the loading view")
  func blank() async {
    let (time, said) = (ManualTime(), Recorder<String>())
    await AccessibilityNotification.$_listener.withValue({ said.record($0) }) {
      let screen = ScreenModel(timing: .calm, time: time.source) { try await answers.load() }
      let host = ViewHost(StatefulView(screen) { Text("values") })
      #expect(host.words == "")
      #expect(host.find("Hidden")?.modifiers["words"] == "Loading…")
      #expect(host.find("Hidden")?.isAccessibilityHidden == true)
      #expect(said.elements.isEmpty)
      await time.sleepers(atLeast: 1)
      time.advance(by: .milliseconds(200))
      await host.wait { $0.words == "Loading…" }
      #expect(said.elements == ["layout changed"])
    }
  }

  // In a process of its own: the words are those of all its views.
  #if os(macOS) || os(Linux)
    @Test("The words that an app sets are in the views that are made afterwards")
    func words() async {
      await #expect(processExitsWith: .success) {
        await MainActor.run {
          ScreenTexts.current = .german
          let screen = ScreenModel(showing: ScreenKnowledge(content: .empty))
          let host = ViewHost(StatefulView(screen) { Text("values") })
          #expect(host.words == "Keine Ergebnisse. Noch einmal versuchen")
        }
      }
    }
  #endif

  @Test("A screen that waits for the person shows the initial view, whose button loads")
  func initial() async throws {
    let screen = ScreenModel(loadsOnAppear: false) { try await answers.load() }
    let host = ViewHost(StatefulView(screen) { Text("values") })
    #expect(host.words == "Nothing here yet. Load" && answers.loads.count == 0)
    try host.tap("Button", "Load")
    await begun(host)
    answers.answer(.success(.some))
    await host.wait { $0.words == "values" }
  }

  @Test("Each view can be another one", .timeLimit(.minutes(20)))
  func replaced() async throws {
    let screen = ScreenModel(loadsOnAppear: false) { try await answers.load() }
    let host = ViewHost(
      StatefulView(screen) {
        Text("values")
      } initial: { load in
        Button("begin", action: load)
      } loading: {
        Text("wait")
      } noResults: { again in
        Button("more", action: again)
      } retry: { error, again in
        Button("\(error)", action: again)
      } overlay: { overlay, again in
        if case .failed(let error) = overlay { Button("over: \(error)", action: again) }
      })
    #expect(host.words == "begin")
    try host.tap("Button", "begin")
    #expect(host.words == "wait")
    await begun(host)
    answers.answer(.success(.empty))
    await host.wait { $0.words == "more" }
    try host.tap("Button", "more")
    await begun(host, 2)
    answers.answer(.failure(MessageError("first")))
    await host.wait { $0.words == "first" }
    try host.tap("Button", "first")
    await begun(host, 3)
    answers.answer(.success(.some))
    await host.wait { $0.words == "values" }
    screen.refresh()
    await begun(host, 4)
    answers.answer(.failure(MessageError("second")))
    await host.wait { $0.words == "over: second values" }
    try host.tap("Button", "over: second")
    await begun(host, 5)
    #expect(answers.loads.count == 5)
  }

  @Test("Errors are announced, and other views made known", .timeLimit(.minutes(20)))
  func announcements() async {
    let said = Recorder<String>()
    await AccessibilityNotification.$_listener.withValue({ said.record($0) }) {
      let screen = answers.screen
      let host = ViewHost(StatefulView(screen) { Text("values") })
      await begun(host)
      answers.answer(.failure(MessageError("There is no network.")))
      await host.wait { $0.words.contains("no network") }
      // As what is urgent, so that no move of the focus cuts it off.
      #expect(said.elements.suffix(2) == ["layout changed", "!There is no network."])
      screen.retry()
      await begun(host, 2)
      answers.answer(.success(.some))
      await host.wait { $0.words == "values" }
      let count = said.count
      screen.refresh()
      await begun(host, 3)
      answers.answer(.failure(MessageError("It is gone again.")))
      await host.wait { $0.words.contains("gone again") }
      // The view is the same one.
      #expect(said.elements.dropFirst(count) == ["!It is gone again."])
    }
  }

  @Test("The same error of another load is announced, too", .timeLimit(.minutes(20)))
  func sameErrorAgain() async throws {
    let (time, said) = (ManualTime(), Recorder<String>())
    try await AccessibilityNotification.$_listener.withValue({ said.record($0) }) {
      let screen = ScreenModel(timing: .calm, time: time.source) { try await answers.load() }
      let host = ViewHost(StatefulView(screen) { Text("values") })
      for count in 1...2 {
        await begun(host, count)
        answers.answer(.failure(MessageError("There is no network.")))
        await host.wait { _ in screen.failureCount == count }
        host.update()
        #expect(said.elements.filter { $0 == "!There is no network." }.count == count)
        try host.tap("Button", "Try again")
      }
    }
  }

  @Test("When it goes, the load that is under way ends", .timeLimit(.minutes(20)))
  func released() async {
    let ends = Recorder<Void>()
    var host: ViewHost? = ViewHost(
      StatefulView(
        ScreenModel {
          try await withTaskCancellationHandler {
            try await answers.load()
          } onCancel: {
            ends.record(())
          }
        }
      ) { Text("values") })
    #expect(host?.words == "Loading…")
    await answers.loads.elements(atLeast: 1)
    host = nil
    await ends.elements(atLeast: 1)
  }
}
