public import FieldstoneCore

/// What a ``Field`` and a ``DerivedField`` have in common: a value that can be observed, and bound
/// to others as their source.
///
/// Observers hear changes in the order in which they registered, and changes are heard in the
/// order in which they happened, across all fields that a change reaches, also when an observer
/// sets a value. All of it happens before the outermost set returns.
public class ReadableField<Value: Equatable & Sendable>: AnyField {
  /// Owned by hand, so that deliveries reach them without retaining them: they are made once and
  /// live as long as the field.
  @exclusivity(unchecked) @usableFromInline
  final var observers: Unmanaged<Multicast<FieldObserver<Value>>>?
  @exclusivity(unchecked) @usableFromInline final var storage: Value?

  @inlinable
  override init() {
    super.init()
  }

  deinit {
    observers?.release()
  }

  /// The value, also within a batch; that of a ``DerivedField`` is computed from its sources as they
  /// are.
  public var value: Value? {
    bringUpToDate()
    if flags.contains(.isTracked) { noteAccess() }
    return storage
  }

  /// What is known of the value.
  public final var state: LoadState<Value> {
    bringUpToDate()
    if flags.contains(.isTracked) { noteAccess() }
    if flags.contains(.isLoading) { return .loading(previous: storage) }
    if flags.contains(.hasFailed), let error = details?.error {
      return .failed(error, previous: storage)
    }
    return flags.contains(.isKnown) ? .loaded(storage) : .notLoaded
  }

  /// Gives identities to the items of a value that replaced another one.
  @usableFromInline
  func identifyItems(replacing old: Value?) {}

  /// How the value looks outside: as was said, otherwise as is usual for the type.
  final var transformer: FieldTransformer<Value>? { transformer(named: nil) }

  /// How the value looks outside under a name: as without one where there is none of that name.
  func transformer(named name: String?) -> FieldTransformer<Value>? {
    ownTransformer(named: name) ?? ownTransformer(named: nil) ?? .standard
  }

  /// The transformer that was given under a name, or without one.
  final func ownTransformer(named name: String?) -> FieldTransformer<Value>? {
    guard let details else { return nil }
    guard let name else { return details.transformer as? FieldTransformer<Value> }
    return details.namedTransformers[name] as? FieldTransformer<Value>
  }

  @usableFromInline
  final func noteAccess() {
    details?.tracker?.noteAccess()
  }

  public override func exportValue(
    with name: String? = nil
  ) throws(FieldIssue) -> JSONValue? {
    bringUpToDate()
    if flags.contains(.isTracked) { noteAccess() }
    guard isKnown else { return nil }
    guard let value = storage else { return .null }
    guard let transformer = transformer(named: name) else {
      throw .noTransformer(for: Value.self)
    }
    return try transformer.json(of: value)
  }

  // MARK: - Deliveries

  override func snapshot() -> FieldSnapshot? {
    FieldSnapshot(
      value: storage as Any, flags: flags, updateStamp: updateStamp, changeStamp: changeStamp,
      revision: revision, error: details?.error, issues: details?.issues ?? [],
      validation: details?.validation?.snapshot)
  }

  override func finishBatch(from snapshot: FieldSnapshot) {
    let isChange = isChange(since: snapshot)
    details?.validation?.finishBatch(from: snapshot.validation ?? .init(), isChange: isChange)
    let isSet = revision != snapshot.revision
    if !isChange, !(isSet && flags.contains(.hasEverySet)) { return }
    let change = Change(
      old: snapshot.value as? Value, new: storage, origin: snapshot.origin, revision: revision,
      wave: wave(beginningAt: updateStamp))
    let context = DeliveryContext.current
    context.mark(self)
    if context.mayDeliver(self) { enqueue(change, isChange: isChange, in: context) }
  }

  override func tellValidation(from snapshot: FieldSnapshot) {
    if !isChange(since: snapshot) { notifyValidation() }
  }

  private func isChange(since snapshot: FieldSnapshot) -> Bool {
    !isSame(snapshot.value as? Value, storage) || snapshot.flags.contains(.isKnown) != isKnown
  }

  override func restore(_ snapshot: FieldSnapshot) {
    let wasTracked = flags.contains(.isTracked)
    if wasTracked { details?.tracker?.willChange() }
    storage = snapshot.value as? Value
    // What was asked for meanwhile, such as followers, stays.
    let states: FieldFlags = [.isKnown, .isLoading, .hasFailed]
    let isOtherState = flags.intersection(states) != snapshot.flags.intersection(states)
    flags = flags.subtracting(states).union(snapshot.flags.intersection(states))
    updateStamp = snapshot.updateStamp
    changeStamp = snapshot.changeStamp
    // On and not back: each number stands for one value.
    if revisionCount != snapshot.revision { revisionCount &+= 1 }
    details?.error = snapshot.error
    details?.issues = snapshot.issues
    // What was made since then has seen nothing but what is taken back.
    details?.validation?.restore(snapshot.validation ?? .init())
    if wasTracked { details?.tracker?.didChange() }
    // They were told of the state at once, and have to hear that it was taken back.
    if isOtherState { details?.stateObservers?.invokeEach { $0() } }
  }

  // MARK: - Validation

  override var valueToCompare: Any {
    bringUpToDate()
    return KnownValue(value: storage)
  }

  override func stillHas(_ value: Any) -> Bool {
    bringUpToDate()
    return (value as? KnownValue<Value>).map { isSame($0.value, storage) } ?? false
  }

  final override func forEachChange(_ body: @escaping () -> Void) {
    addForRules(FieldObserver(owner: nil) { _ in body() })
  }

  final override func addDependent(_ owner: AnyObject, _ body: @escaping () -> Void) {
    addForRules(
      FieldObserver(owner: nil) { [weak owner] _ in
        if owner == nil { DeliveryContext.noteOwnerIsGone() } else { body() }
      })
  }
}

extension ReadableField {
  /// Whether a field has a value: `age == 10`. (Seed: MagneticFields' `==`.)
  ///
  /// A field that is nil or unknown has none. NaN equals NaN here, as it is no change.
  @inlinable
  public static func == (field: ReadableField, value: Value) -> Bool {
    isSame(field.value, value)
  }

  /// Whether a field has another value, or none.
  @inlinable
  public static func != (field: ReadableField, value: Value) -> Bool {
    !isSame(field.value, value)
  }
}

/// What a field's value was; nil in it is not the nil of a cast that fails.
private struct KnownValue<Value> {
  let value: Value?
}
