public import FieldstoneCore
import Foundation

/// Fields that set each other without end, and were stopped.
///
/// A field that is set for the 101st time within one delivery keeps that value, and is not
/// delivered any more. Once the delivery has ended, each circle is reported once to the handler, by
/// default as a line on standard error.
public struct UnsettledFields: DescribedError, Hashable {
  /// The names of the fields in the order in which they set each other.
  ///
  /// A circle begins and ends with a stopped field. Where no circle was found, the path leads to
  /// the stopped field.
  public let path: [String]

  /// The problem and its remedy.
  public var message: String {
    "Fields do not settle: \(path.joined(separator: " → ")). Each set leads to another one; "
      + "after 100 sets the last value was kept. Make the observers that set values agree, or let "
      + "one of them set nothing when the value is as it wants it."
  }

  /// The handler of reports, for the whole process; setting it replaces the previous one.
  public static var handler: @Sendable (UnsettledFields) -> Void {
    get { processHandler.withLock { $0 } }
    set { _ = processHandler.exchange(newValue) }
  }

  /// Runs a body with another handler of reports, for tests that run in parallel.
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
  /// Writes the message to standard error, for mistakes in code that has no caller to throw to.
  package func reportOnStandardError() {
    // Not by `Data(_.utf8)`, whose generic code costs every program 4 KB.
    guard let line = "Fieldstone: \(message)\n".data(using: .utf8) else { return }
    FileHandle.standardError.write(line)
  }
}

/// Finds the circles in which fields set each other, in the last rounds before they are stopped.
struct CircleFinder {
  /// Fields that were set suspiciously often, with the field whose observers or bindings set it
  /// last.
  private var setters: [ObjectIdentifier: (field: AnyField, setter: AnyField?)] = [:]

  /// The fields that were set too often, in order.
  private var stopped: [AnyField] = []

  var isEmpty: Bool { setters.isEmpty }

  /// Records a set of a suspicious field.
  mutating func note(_ field: AnyField, setBy setter: AnyField?) {
    setters[ObjectIdentifier(field)] = (field, setter)
  }

  /// Records a field that was set once too often.
  mutating func stop(_ field: AnyField) {
    stopped.append(field)
  }

  /// Reports each circle once, however many of its fields were stopped.
  func report() {
    let paths = stopped.map { path(to: $0) }
    var reported: Set<ObjectIdentifier> = []
    // Circles first: a field that a reported circle led to is not reported again.
    for path in paths.filter(\.isCircle) + paths.filter({ !$0.isCircle }) {
      let fields = path.fields.map { ObjectIdentifier($0) }
      if path.isCircle ? reported.isSuperset(of: fields) : !reported.isEmpty { continue }
      reported.formUnion(fields)
      UnsettledFields(path.fields).report()
    }
  }

  /// The circle that led to a field, if there is one; otherwise the known part of the way to it.
  private func path(to field: AnyField) -> (fields: [AnyField], isCircle: Bool) {
    var way = [field]
    var places = [ObjectIdentifier(field): 0]
    while let last = way.last, let setter = setters[ObjectIdentifier(last)]?.setter {
      if let start = places[ObjectIdentifier(setter)] {
        return ([setter] + way[start...].reversed(), true)
      }
      places[ObjectIdentifier(setter)] = way.count
      way.append(setter)
    }
    return (way.reversed(), false)
  }
}
