public import FieldstoneCore

/// A value that can be set, observed, bound, loaded and validated. (Seed: MagneticFields' `Field`.)
///
/// ```swift
/// let age = Field<Int>("Age")
/// let registration = age.observe { change in print(change.new ?? 0) }
/// age.value = 10
/// ```
///
/// A field is not `Sendable`: it lives where its owner lives. It can be made off the main actor
/// and be sent there with its owner.
public class Field<Value: Equatable & Sendable>: ReadableField<Value> {
  /// Makes a field of which nothing is known yet.
  @inlinable
  public override init() {
    super.init()
  }

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - name: what people call it.
  ///   - key: what it is called in dictionaries and JSON; the name unless given.
  ///   - value: the value it is loaded with; nothing is known when it is nil.
  ///   - order: its place among other fields, lower first.
  ///   - time: where its timestamps come from.
  public init(
    _ name: String, key: String? = nil, value: Value? = nil, order: Int = 0,
    time: TimeSource? = nil
  ) {
    super.init()
    let details = ensureDetails()
    details.name = name
    details.key = key
    details.order = order
    details.time = time
    if let value { self.value = value }
  }

  /// Makes a field without a name that is loaded with a value.
  public init(value: Value, time: TimeSource? = nil) {
    super.init()
    if let time { ensureDetails().time = time }
    self.value = value
  }

  /// The value; setting it makes the field loaded, also when it is set to nil.
  ///
  /// Reading costs as much as reading a stored property. Setting calls the observers, before it
  /// returns or, from inside an observer or a batch, once that is done.
  @inlinable
  public final override var value: Value? {
    get {
      if flags.contains(.isTracked) { noteAccess() }
      return storage
    }
    set { set(newValue, origin: .code) }
  }

  /// Says that a value is being loaded; the one that is there stays.
  public final func beginLoading() {
    changeState { field in
      field.flags.insert(.isLoading)
      field.flags.remove(.hasFailed)
    }
  }

  /// Says that loading has failed; the value that is there stays.
  public final func fail(with error: any Error) {
    changeState { field in
      field.flags.remove(.isLoading)
      field.flags.insert(.hasFailed)
      field.ensureDetails().error = error
    }
  }

  /// Says that loading was given up: what was known before is what is known.
  public final func cancelLoading() {
    changeState { $0.flags.remove(.isLoading) }
  }

  override var isSettable: Bool { true }

  @discardableResult
  public override func importValue(
    _ json: JSONValue?, with name: String? = nil
  ) -> FieldImportResult {
    guard let json else { return .untouched }
    if json == .null {
      set(nil, origin: .importing)
      return .imported
    }
    guard let transformer = transformer(named: name) else {
      return refuse(.noTransformer(for: Value.self))
    }
    do throws(FieldIssue) {
      set(try transformer.value(of: json), origin: .importing)
      return .imported
    } catch {
      return refuse(error)
    }
  }

  /// Asks the synchronous rules: a single issue of one of them makes the value invalid.
  ///
  /// Issues that were added from outside are dropped. A field with asynchronous rules is unknown
  /// until they were asked, too: `await validateAll()`. A value that passes costs no allocation.
  @inlinable
  @discardableResult
  public final override func validate() -> ValidationState {
    guard flags.isDisjoint(with: [.isTracked, .hasItems]), let validation = simpleValidation else {
      return validateTheLongWay()
    }
    return validation._withUnsafeGuaranteedRef { validation in
      // Made by the field itself, for values of its type.
      let rules = unsafeDowncast(validation, to: FieldRules<Value>.self)
      let changeCount = rules.changeCount
      let found = rules.issues(of: storage)
      // A rule that sets its own field leaves the new value unknown.
      if rules.changeCount != changeCount { return validationState }
      if let found { return validateTheLongWay(found: found) }
      rules.status = .passed
      return .valid
    }
  }

  /// The rules where nothing is to be done but asking them.
  @inlinable @inline(__always)
  final var simpleValidation: Unmanaged<FieldValidation>? {
    guard let details = ownedDetails else { return nil }
    guard
      let validation = details._withUnsafeGuaranteedRef({ $0.hasIssues ? nil : $0.ownedValidation })
    else { return nil }
    return validation._withUnsafeGuaranteedRef({ $0.isSimple }) ? validation : nil
  }

  final override func ensureValidation() -> FieldValidation { ensureRules() }

  final override func checkValue() -> [FieldIssue] {
    // Item rules alone make an array field have a validation.
    (details?.validation as? FieldRules<Value>)?.issues(of: storage) ?? []
  }

  override var questions: [FieldCheck.Question] {
    guard let value = storage, let rules = details?.validation as? FieldRules<Value> else {
      return []
    }
    return rules.asyncRules.map { rule in
      FieldCheck.Question(debounce: rule.debounce, item: nil) { await rule.ask(about: value) }
    }
  }

  private func changeState(_ change: (Field) -> Void) {
    recordForBatch()
    details?.tracker?.willChange()
    change(self)
    details?.tracker?.didChange()
    details?.stateObservers?.invokeEach { $0() }
  }
}
