/// A rule for a value that only another system can check: a server, a database.
///
/// ```swift
/// let code = Field<String>("Code")
///   .require(.pattern(/[A-Z]{4}/))
///   .require(.asynchronous("is taken already") { code in try await !directory.has(code) })
/// ```
///
/// It runs only when all synchronous rules hold, and for one value at a time. Setting the field
/// cancels the running check, and a late answer is dropped. Nil is not checked. In an array field,
/// only items that are new or have another value are checked, at most eight at a time; the other
/// items keep their results.
public struct AsyncFieldRule<Value: Sendable>: Sendable {
  /// How long a form waits after a change before it runs the check, so that not every key runs it.
  public let debounce: Duration

  /// What tools call it: its code, or its message in place of the usual code.
  let name: String

  let findings: @Sendable (Value) async throws -> [FieldIssue]

  /// Makes a rule from a closure that returns the issues of a value.
  ///
  /// - Parameters:
  ///   - debounce: how long a form waits after a change before it runs the check.
  ///   - findings: the issues of a value. A thrown error is an issue, too: a `FieldIssue` stays as
  ///     it is, any other becomes "could not be validated". A cancelled check finds nothing,
  ///     whatever it throws.
  public init(
    debounce: Duration = .milliseconds(300),
    findings: @escaping @Sendable (Value) async throws -> [FieldIssue]
  ) {
    self.init(named: "issues", debounce: debounce, findings: findings)
  }

  private init(
    named name: String, debounce: Duration,
    findings: @escaping @Sendable (Value) async throws -> [FieldIssue]
  ) {
    self.name = name
    self.debounce = debounce
    self.findings = findings
  }

  /// A rule from a check.
  ///
  /// - Parameters:
  ///   - message: the text of the issue, after the field's name.
  ///   - code: a short stable name of the problem.
  ///   - debounce: how long a form waits after a change before it runs the check.
  ///   - check: whether a value passes. When it throws, the value "could not be validated".
  public static func asynchronous(
    _ message: String? = nil, code: String = "invalid", debounce: Duration = .milliseconds(300),
    _ check: @escaping @Sendable (Value) async throws -> Bool
  ) -> AsyncFieldRule {
    let issue = FieldIssue(code: code, message: message)
    return AsyncFieldRule(
      named: .ruleName(code: code, message: message), debounce: debounce
    ) { try await check($0) ? [] : [issue] }
  }

  /// Returns the issues, errors included; nil when the check was cancelled.
  func ask(about value: Value) async -> [FieldIssue]? {
    do {
      let found = try await findings(value).map(\.asRule)
      return Task.isCancelled ? nil : found
    } catch {
      return Task.isCancelled ? nil : [.couldNotValidate(error)]
    }
  }
}
