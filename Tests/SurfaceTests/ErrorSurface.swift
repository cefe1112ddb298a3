import Fieldstone
import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneTesting
import Foundation
import Testing

// The text of printed errors, and of errors that end a program.

private struct AppError: DescribedError, Hashable {
  let message = "The shop is closed; come back at nine."
}

private struct Echo: DataProvider {
  func load(_ word: String, reporting events: LoadEvents<String>) async throws -> String { word }
}

private enum Hike: Stage, Codable, VersionedFlow {
  static let flowName = "hike"
  case up
  func next() async throws -> Step<Self, Int> { .complete(1) }
}

@Suite("The surface of errors")
struct ErrorSurface {
  private static let issue: FieldIssue = {
    var issue = FieldIssue(code: "tooSmall", parameters: ["minimum": "18"], source: .rule)
    issue.path = ["age"]
    return issue
  }()

  private static let run = RunID("01ARZ3NDEKTSV4RRFFQ69G5FAV")

  private static var core: [any DescribedError] {
    [
      MessageError("Invalid email and password."), AppError(), CallCancelled(.busy),
      StageError.waitsInSynchronousExecution, FutureError.resolverDropped(at: "Files.swift:3"),
      FutureError.alreadyResolved(ignored: 2, at: "Files.swift:3"),
      FileStoreError(.system, path: "settings.json", errorNumber: 28),
      FileStoreError(.corrupt, path: "settings.json", underlying: [MessageError("no JSON")]),
    ]
  }

  private static var fields: [any DescribedError] {
    let unsettled = Recorder<UnsettledFields>()
    let field = Field<Int>("Count")
    let registration = field.observe { [unowned field] change in
      field.value = (change.new ?? 0) + 1
    }
    UnsettledFields.withHandler({ unsettled.record($0) }) { field.value = 1 }
    registration.cancel()
    return unsettled.elements.map { $0 as any DescribedError } + [
      FormError.invalid([issue, issue]), FormError.unsettled, FormError.notMapped(type: "Airport"),
      FormError.missingValue(key: "age"), FormRejection(["code": "is taken already"]),
      FieldItemError.indexOutOfRange(4, count: 2, field: "Tags"),
      FieldItemError.unknownItem(field: "Tags"), FieldModelError.missingKey(position: 2),
      FieldModelError.notExported(issue), FieldModelError.unreadable(.notAnObject),
      JSONValueError.notJSON(detail: "it ends early"), JSONValueError.tooDeep,
    ]
  }

  private static var loading: [any DescribedError] {
    [
      StatefulOperationError.nothingToRun(operation: "Import"),
      StatefulOperationError.dependencyFailed(CallCancelled(.released)),
      PaginatedListError.cursorLoop(cursor: "7"),
      DataModelError.null(expected: "a number", place: "items[3].name"),
      URLProviderError.status(ServerResponse(status: 503), retryAfter: nil),
      URLProviderError.bodyTooLarge(limit: 9, url: nil), URLProviderError.notHTTP(url: nil),
      CallbackProviderError.completionDropped(at: "Users.swift:9"),
    ]
  }

  private static var durable: [any DescribedError] {
    guard let run else { return [] }
    return [
      DurableRunError.dead(run, error: "no room"), DurableRunError.blocked(run, error: "no case"),
      DurableRunError.newerVersion(run, found: 3, known: 2),
      DurableRunError.unknownFlow(run, flow: "hike"), DurableRunnerError.duplicateFlow("hike"),
      DurableRunnerError.notRegistered(stage: "Hike"), DurableRunnerError.runsAlready,
      JournalError.claimLost(run), JournalError.notAllowed(run, state: .dead, action: "cancelled"),
      JournalError.noTransactions, JournalError.unavailable("no space"),
      JournalError.newerSchema(found: 3, known: 2),
    ]
  }

  private static var all: [any DescribedError] { core + fields + loading + durable }

  private func expectSentence(_ error: any DescribedError) {
    let thrown: any Error = error
    #expect("\(thrown)" == error.message)
    #expect(String(describing: thrown) == error.message)
    // Uncaught errors and arrays print this text.
    #expect(String(reflecting: thrown) == error.message)
    #expect(thrown.localizedDescription == error.message)
    #expect(!error.message.isEmpty)
  }

  @Test("Printed, an error is the sentence that names the remedy", arguments: 0..<all.count)
  func printed(index: Int) {
    expectSentence(Self.all[index])
  }

  @Test("Errors of each kind are among those that were printed")
  func kinds() {
    #expect(Set(Self.all.map { "\(type(of: $0))" }).count == 20)
  }

  @Test("What conformance suites throw is read like that, too")
  func testKit() async throws {
    let suite = {
      var suite = ProviderConformance(parameters: "Wien", expected: "Graz") { Echo() }
      suite.time = ManualTime().source
      return suite
    }()
    let provider = try #require(
      await #expect(throws: ProviderConformanceError.self) {
        try await suite.check()
      })
    expectSentence(provider)
    let fixtures = try #require(
      #expect(throws: StageFixturesError.self) {
        let flow = DurableFlow(Hike.self)
        try StageFixtures(in: "no-such-folder", of: flow, isRecording: false).check([Hike.up])
      })
    expectSentence(fixtures)
    let used = InMemoryJournal()
    let journal = try #require(
      await #expect(throws: JournalConformanceError.self) {
        try await JournalConformance { used }.check()
      })
    expectSentence(journal)
  }

  @Test("The parts of an error are still there for a dump")
  func dumped() {
    var text = ""
    dump(FormError.missingValue(key: "age"), to: &text)
    #expect(text.contains("missingValue") && text.contains(#"key: "age""#))
  }

  @Test("An issue says what is wrong, where, and in the language of the catalogue")
  func issue() {
    #expect("\(Self.issue)" == "age must be at least 18")
    #expect((Self.issue as any Error).localizedDescription == "age must be at least 18")
    #expect("\(FieldIssue("is taken already"))" == "is taken already")
    FieldMessages.withCurrent(.german) {
      #expect("\(Self.issue)" == "age muss mindestens 18 sein")
    }
  }

  @Test("In an array, and for a debugger, an issue tells what it is made of as well")
  func issueParts() {
    let text = "age must be at least 18 (tooSmall, minimum: 18, error, rule)"
    #expect(String(reflecting: Self.issue) == text)
    #expect("\([Self.issue])" == "[\(text)]")
    let own = FieldIssue("is taken already", code: "taken", source: .server)
    #expect(String(reflecting: own) == "is taken already (taken, error, server)")
  }

  @Test("A refused form names what is wrong, the first three of many", arguments: [0, 1, 3, 4])
  func refused(count: Int) {
    let issues = Array(repeating: Self.issue, count: count)
    let said = Array(repeating: "age must be at least 18", count: min(count, 3))
    var list = (said + (count > 3 ? ["and 1 more"] : [])).joined(separator: "; ")
    if count > 0 { list = " (\(list))" }
    let number = count == 1 ? "one issue" : "\(count) issues"
    #expect(
      "\(FormError.invalid(issues))"
        == "The form has \(number)\(list); correct what is said at its fields and submit it again.")
    #expect(
      "\(FormRejection(issues))"
        == "The values were refused\(list); correct what is said at the fields and submit again.")
  }
}
