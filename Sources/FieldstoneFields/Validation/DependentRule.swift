/// A rule for a value that also depends on other fields, which it declares.
///
/// ```swift
/// let again = Field<String>("Password again").require(.equal(to: password))
/// let arrival = Field<Date>("Arrival").require(
///   .depending(on: departure, message: "must be after the departure") { arrival, departure in
///     departure.map { arrival > $0 } ?? true
///   })
/// ```
///
/// A validated field is validated again when one of the other fields changes, whether it was valid
/// or not. The rule holds the other fields weakly, so that two fields may depend on each other. A
/// deallocated field counts as nil, so keep derived fields in a property. The rule is not
/// `Sendable`, as fields are not.
public struct DependentRule<Value> {
  /// What tools call it: its code, or its message in place of the usual code.
  let name: String
  let sources: [RuleSource]
  let check: (Value) -> [FieldIssue]?

  /// Nil where the rule accepts nil.
  let checkNil: (() -> [FieldIssue]?)?
}

extension DependentRule where Value: Equatable & Sendable {
  /// The value equals that of another field, nil included: code `notEqual`, parameter `other`.
  public static func equal(to other: ReadableField<Value>) -> DependentRule {
    let source = WeakField(other)
    let name = other.name
    func check(_ value: Value?) -> [FieldIssue]? {
      if isSame(value, source.value) { return nil }
      return [FieldIssue(code: "notEqual", message: nil, parameters: ["other": name])]
    }
    return DependentRule(
      name: "equal", sources: [RuleSource(other)], check: { check($0) }, checkNil: { check(nil) })
  }
}

extension DependentRule {
  /// A check that depends on other fields.
  ///
  /// - Parameters:
  ///   - sources: the fields that the check reads, and no others.
  ///   - message: the text of the issue, after the field's name.
  ///   - code: a short stable name of the problem.
  ///   - check: whether a value passes, given the others'. When it throws, the value "could not be
  ///     validated". Nil is not checked and passes.
  public static func depending<each Source>(
    on sources: repeat ReadableField<each Source>, message: String? = nil, code: String = "invalid",
    check: @escaping (Value, repeat Optional<each Source>) throws -> Bool
  ) -> DependentRule {
    let packed = PackCheck(repeat each sources, check: check)
    let issue = FieldIssue(code: code, message: message)
    return DependentRule(
      name: .ruleName(code: code, message: message), sources: packed.all,
      check: { value in
        do {
          return try packed(value) ? nil : [issue]
        } catch {
          return [.couldNotValidate(error)]
        }
      },
      checkNil: nil)
  }
}

/// A check with the fields that it looks at.
///
/// A class and not a closure: a closure over a parameter pack crashes the compiler (Swift 6.3).
private final class PackCheck<Value, each Source: Equatable & Sendable> {
  private let sources: (repeat WeakField<each Source>)
  private let check: (Value, repeat Optional<each Source>) throws -> Bool

  init(
    _ sources: repeat ReadableField<each Source>,
    check: @escaping (Value, repeat Optional<each Source>) throws -> Bool
  ) {
    self.sources = (repeat WeakField(each sources))
    self.check = check
  }

  var all: [RuleSource] {
    var all: [RuleSource] = []
    for source in repeat each sources {
      if let field = source.field { all.append(RuleSource(field)) }
    }
    return all
  }

  func callAsFunction(_ value: Value) throws -> Bool {
    // Read into a pack first: the compiler does not take it as an argument (Swift 6.3).
    let sources = sources
    let values: (repeat Optional<each Source>) = (repeat (each sources).value)
    return try check(value, repeat each values)
  }
}

/// A field of a known type, held weakly.
final class WeakField<Value: Equatable & Sendable> {
  private(set) weak var field: ReadableField<Value>?

  init(_ field: ReadableField<Value>) {
    self.field = field
  }

  /// Its value as it is; nil, too, when it is gone.
  var value: Value? {
    field?.bringUpToDate()
    return field?.storage
  }
}
