/// A rule for a value that only another system can check: a server, a database.
///
/// ```swift
/// let code = Field<String>("Code")
///   .require(.pattern(/[A-Z]{4}/))
///   .require(.asynchronous("is taken already") { code in try await !directory.has(code) })
/// ```
///
/// It is asked only when all synchronous rules hold, and about one value at a time: when the field
/// is set, the question that is under way is cancelled, and an answer that comes all the same is
/// dropped. Nil is not asked about. Of an array's items those are asked about that are new or have
/// another value; what was answered about the others holds.
public struct AsyncFieldRule<Value: Sendable>: Sendable {
  /// How long a form waits after a change before it asks, so that it does not ask at each key.
  public let debounce: Duration

  let findings: @Sendable (Value) async throws -> [FieldIssue]

  /// Makes a rule that says itself what it has found.
  ///
  /// - Parameters:
  ///   - debounce: how long a form waits after a change before it asks.
  ///   - findings: the issues of a value. An error that is thrown is a finding, too: a
  ///     `FieldIssue` as it is, any other as "could not be validated". `CancellationError` ends
  ///     the question without a finding when it was cancelled.
  public init(
    debounce: Duration = .milliseconds(300),
    findings: @escaping @Sendable (Value) async throws -> [FieldIssue]
  ) {
    self.debounce = debounce
    self.findings = findings
  }

  /// A rule from a check.
  ///
  /// - Parameters:
  ///   - message: the text of the issue, after the field's name.
  ///   - code: what is wrong, as a short stable name.
  ///   - debounce: how long a form waits after a change before it asks.
  ///   - check: whether a value passes. When it throws, the value "could not be validated".
  public static func asynchronous(
    _ message: String? = nil, code: String = "invalid", debounce: Duration = .milliseconds(300),
    _ check: @escaping @Sendable (Value) async throws -> Bool
  ) -> AsyncFieldRule {
    let issue = FieldIssue(code: code, message: message)
    return AsyncFieldRule(debounce: debounce) { try await check($0) ? [] : [issue] }
  }

  /// The findings, errors included; nil when the question was cancelled.
  func ask(about value: Value) async -> [FieldIssue]? {
    do {
      let found = try await findings(value).map(\.asRule)
      return Task.isCancelled ? nil : found
    } catch {
      return Task.isCancelled ? nil : [.couldNotValidate(error)]
    }
  }
}
