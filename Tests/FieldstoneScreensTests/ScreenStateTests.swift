import FieldstoneCore
import FieldstoneScreens
import Testing

@Suite("What a screen shows")
struct ScreenStateTests {
  static let all = ScreenKnowledge.Content.allCases.flatMap { content in
    [false, true].flatMap { isLoading in [false, true].map { (content, isLoading, $0) } }
  }

  @Test("It follows from what is known, in every case", arguments: all)
  func pure(content: ScreenKnowledge.Content, isLoading: Bool, hasFailed: Bool) {
    let error = hasFailed ? MessageError("no network") : nil
    let state = ScreenState(
      ScreenKnowledge(content: content, isLoading: isLoading, error: error))
    switch (content, isLoading, hasFailed) {
    case (.some, _, _): #expect(state.view == .primary)
    case (_, true, _): #expect(state.view == .loading)
    case (_, false, true): #expect(state.view == .retry)
    case (.empty, false, false): #expect(state.view == .noResults)
    case (.unknown, false, false): #expect(state.view == .initial)
    }
    #expect(state.isBusy == isLoading)
    // A refresh hides the error of the one before.
    #expect((state.error != nil) == (hasFailed && !isLoading))
  }
}
