import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

struct Session: Sendable, Equatable {
  let email: String
}

enum LoginError: DescribedError {
  case invalidEmail
  var message: String { "Invalid email; it needs an @." }
}

// snippet: operations-class
final class ValidateLogin: StatefulOperation<Session>, @unchecked Sendable {
  let email: String

  init(email: String) {
    self.email = email
    super.init()
  }

  override func run() throws -> Session {
    guard email.contains("@") else { throw LoginError.invalidEmail }
    return Session(email: email)
  }
}
// end

@MainActor private final class Screen: Sendable {
  var log: [String] = []
  func show(_ text: String) { log.append(text) }
  func show(_ error: any Error) { log.append(error.localizedDescription) }
}

@MainActor private let alert = Screen()

// snippet: operations-base
class AppOperation<Output: Sendable>: StatefulOperation<Output>, @unchecked Sendable {
  override var defaultErrorHandler: (@MainActor (any Error) -> Void)? {
    { error in alert.show(error) }
  }
}
// end

@Suite("Article: operations")
struct OperationSnippets {
  @Test("Handlers")
  @MainActor func handlers() async {
    let queue = OperationQueue()
    let spinner = Screen()
    let screen = Screen()
    let email = "ada@example.org"
    // snippet: operations-handlers
    let login = ValidateLogin(email: email)
      .onStart { spinner.show("spinning") }
      .onReturn { spinner.show("still") }
      .onSuccess { session in screen.show("Welcome, \(session.email)") }
      .onFail { error in screen.show(error) }
    queue.addOperation(login)
    // end
    #expect(await login.outcome.value == Session(email: email))
    #expect(spinner.log == ["spinning", "still"])
    #expect(screen.log == ["Welcome, ada@example.org"])
  }

  @Test("A base class")
  @MainActor func base() async {
    final class Fail: AppOperation<Int>, @unchecked Sendable {
      override func run() throws -> Int { throw LoginError.invalidEmail }
    }
    let operation = Fail()
    OperationQueue().addOperation(operation)
    _ = await operation.outcome
    #expect(alert.log == ["Invalid email; it needs an @."])
  }

  @Test("A chain")
  func chain() async throws {
    let queue = OperationQueue()
    // snippet: operations-chain
    let welcome = ValidateLogin(email: "ada@example.org")
      .then { session in StatefulBlockOperation { "Welcome, \(session.email)" } }
    queue.addOperation(welcome)
    let text = try await welcome.value
    // end
    #expect(text == "Welcome, ada@example.org")
  }
}
