public import FieldstoneCore

/// The common part of ``Field`` and ``DerivedField``: a value to observe, and to bind as a source.
///
/// Observers are notified in the order in which they registered, and of changes in the order in
/// which those happened. This holds across all fields that a change reaches, even when an observer
/// sets a value. All observers are notified before the outermost set returns.
public class ReadableField<Value: Equatable & Sendable>: AnyField {
  /// Retained by hand, so that deliveries do not retain them: they are made once and live as long
  /// as the field.
  @exclusivity(unchecked) @usableFromInline
  final var observers: Unmanaged<Multicast<FieldObserver<Value>>>?
  @exclusivity(unchecked) @usableFromInline package final var storage: Value?

  @inlinable
  override init() {
    super.init()
  }

  deinit {
    observers?.release()
  }

  /// The value, also within a batch; a ``DerivedField`` computes it from its current sources.
  public var value: Value? {
    bringUpToDate()
    if flags.contains(.isTracked) { noteAccess() }
    return storage
  }

  /// The load phase of the value; a loaded value may be nil.
  public final var phase: LoadPhase<Value?> {
    bringUpToDate()
    if flags.contains(.isTracked) { noteAccess() }
    return currentPhase
  }

  final var currentPhase: LoadPhase<Value?> {
    let known: Value?? = flags.contains(.isKnown) || storage != nil ? .some(storage) : nil
    if flags.contains(.isLoading) { return .loading(previous: known) }
    if flags.contains(.hasFailed), let error = details?.error {
      return .failed(error, previous: known)
    }
    return known.map { .loaded($0) } ?? .idle
  }

  /// Called with each set of a field whose value has items.
  @usableFromInline
  func valueWasReplaced(_ old: Value?) {}

  @usableFromInline
  final func noteAccess() {
    details?.tracker?.noteAccess()
  }

  // MARK: - Deliveries

  override func snapshot() -> FieldSnapshot? {
    FieldSnapshot(
      value: storage as Any, flags: flags, updateStamp: updateStamp, changeStamp: changeStamp,
      revision: revision, error: details?.error, phaseChanges: details?.phaseChanges,
      attached: details?.attachment?.snapshot)
  }

  override func finishBatch(from snapshot: FieldSnapshot) -> Bool {
    let isChange =
      !isSame(snapshot.value as? Value, storage) || snapshot.flags.contains(.isKnown) != isKnown
    details?.attachment?.finishBatch(from: snapshot.attached, isChange: isChange)
    if hasOtherPhase(than: snapshot) { queuePhase() }
    let isSet = revision != snapshot.revision
    if !isChange, !(isSet && flags.contains(.hasEverySet)) { return false }
    let change = Change(
      old: snapshot.value as? Value, new: storage, origin: snapshot.origin, revision: revision,
      wave: wave(beginningAt: updateStamp))
    let context = DeliveryContext.current
    context.mark(self)
    if context.mayDeliver(self) { enqueue(change, isChange: isChange, in: context) }
    return isChange
  }

  override func restore(_ snapshot: FieldSnapshot) {
    let wasTracked = flags.contains(.isTracked)
    if wasTracked { details?.tracker?.willChange() }
    storage = snapshot.value as? Value
    // Flags that were set meanwhile, such as that of followers, stay.
    flags = flags.subtracting(.phase).union(snapshot.flags.intersection(.phase))
    updateStamp = snapshot.updateStamp
    changeStamp = snapshot.changeStamp
    // The revision increases even here: each number stands for one value.
    if revisionCount != snapshot.revision { revisionCount &+= 1 }
    details?.error = snapshot.error
    if let count = snapshot.phaseChanges { details?.phaseChanges = count }
    // An attachment made since then has seen only values that are rolled back.
    details?.attachment?.restore(snapshot.attached)
    if wasTracked { details?.tracker?.didChange() }
  }

  /// Whether observers of the phase have something to hear at the end of a batch.
  private func hasOtherPhase(than snapshot: FieldSnapshot) -> Bool {
    flags.intersection(.phase) != snapshot.flags.intersection(.phase)
      || !flags.isDisjoint(with: [.isLoading, .hasFailed])
        && details?.phaseChanges != snapshot.phaseChanges
  }

  package final override func forEachChange(for owner: AnyObject?, _ body: @escaping () -> Void) {
    guard let owner else {
      return addForRules(FieldObserver(owner: nil) { _ in body() }, isOwned: false)
    }
    let observer = FieldObserver<Value>(owner: nil) { [weak owner] change in
      if owner == nil { return DeliveryContext.noteOwnerIsGone() }
      if !change.isProbe { body() }
    }
    addForRules(observer, isOwned: true)
  }
}

extension ReadableField {
  /// Whether a field has a value: `age == 10`. (Seed: MagneticFields' `==`.)
  ///
  /// A field that is nil or unknown has none. NaN equals NaN here, as setting it again is no
  /// change.
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
