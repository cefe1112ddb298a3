import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

// snippet: core-errors
enum ParseError: DescribedError {
  case notJSON
  var message: String { "The file holds no JSON; export it again." }
}

func parse(_ text: String) throws {
  if text.isEmpty { throw MessageError("The file is empty.") }
  if !text.hasPrefix("{") { throw ParseError.notJSON }
}
// end

@Suite("README: core")
struct CoreSnippets {
  @Test("Errors")
  func errors() {
    #expect(throws: ParseError.notJSON) { try parse("[") }
    #expect(throws: MessageError.self) { try parse("") }
    #expect(throws: Never.self) { try parse("{") }
    #expect((ParseError.notJSON as NSError).localizedDescription.hasPrefix("The file holds"))
  }

  @Test("Time")
  func time() async throws {
    // snippet: core-time
    func remind(after duration: Duration, time: TimeSource = .system) async throws -> String {
      try await time.sleep(for: duration)
      return "The kettle boils."
    }

    let time = ManualTime()  // from FieldstoneTesting
    let reminder = Task { try await remind(after: .seconds(180), time: time.source) }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(180))  // no test sleeps
    let text = try await reminder.value
    // end
    #expect(text == "The kettle boils.")
  }

  @Test("Recorded values")
  func recorder() {
    // snippet: testing-recorder
    let field = Field<String>("Name")
    let heard = Recorder<String?>()
    let registration = field.observe { heard.record($0.new) }  // now, and with each change
    field.value = "a"
    #expect(heard.elements == [nil, "a"])
    // end
    withExtendedLifetime(registration) {}
  }

  @Test("Activities")
  func activities() async throws {
    // snippet: core-activities
    enum LaunchCount: SynchronousStage {
      case left(Int)
      func next() -> Step<Self, String> {
        switch self {
        case .left(let number) where number > 0: .advance(to: .left(number - 1))
        case .left: .complete("lift-off")
        }
      }
    }

    let heard = Recorder<String>()  // from FieldstoneTesting
    let registration = ActivityEvent.observe { event in
      if event.name == "LaunchCount" { heard.record("\(event.kind): \(event.change)") }
    }
    let word = try await LaunchCount.left(3).execute()
    let texts = await heard.elements(atLeast: 2)  // stageExecution: began, and its end
    registration.cancel()
    // end
    #expect(word == "lift-off")
    #expect(texts.first == "stageExecution: began" && texts.count == 2)
  }
}
