public import FieldstoneCore
import Foundation

/// Fields that would set each other for ever, and were stopped.
///
/// A field that is set for the hundred-and-first time within one delivery keeps that value, and is
/// not delivered any more. Once the delivery is over, each circle is reported once to the handler,
/// by default as a line on standard error.
public struct UnsettledFields: DescribedError, Hashable {
  /// The names of the fields in the order in which they set each other, from one that was stopped
  /// to itself; where no circle was found, those that led to it.
  public let path: [String]

  /// What happened and what to do about it.
  public var message: String {
    "Fields do not settle: \(path.joined(separator: " → ")). Each set leads to another one; "
      + "after 100 sets the last value was kept. Make the observers that set values agree, or let "
      + "one of them set nothing when the value is as it wants it."
  }

  /// The handler of reports, for the whole process; setting it replaces the one before.
  public static var handler: @Sendable (UnsettledFields) -> Void {
    get { processHandler.withLock { $0 } }
    set { processHandler.withLock { $0 = newValue } }
  }

  /// Runs a body with another handler of reports; for tests, which run side by side.
  ///
  /// - Throws: what the body throws.
  public static func withHandler<Result>(
    _ handler: @escaping @Sendable (UnsettledFields) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    try $scopedHandler.withValue(handler, operation: body)
  }

  private static let processHandler = Locked<@Sendable (UnsettledFields) -> Void> { fields in
    fields.reportOnStandardError()
  }

  @TaskLocal private static var scopedHandler: (@Sendable (UnsettledFields) -> Void)?

  init(_ fields: [AnyField]) {
    path = fields.map { $0.name.isEmpty ? "(a field without a name)" : $0.name }
  }

  func report() {
    (Self.scopedHandler ?? Self.handler)(self)
  }
}

extension DescribedError {
  /// Writes the message to standard error, for mistakes in code that no caller can be told of.
  func reportOnStandardError() {
    // Not by `Data(_.utf8)`, whose generic code costs every program 4 KB.
    guard let line = "Fieldstone: \(message)\n".data(using: .utf8) else { return }
    FileHandle.standardError.write(line)
  }
}
