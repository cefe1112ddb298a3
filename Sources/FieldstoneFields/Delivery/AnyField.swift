public import FieldstoneCore
public import Foundation

/// The common part of all fields, whatever their value: names, revision and timestamps.
///
/// Use it to hold fields of several types together. Only the fields of this package are subclasses.
public class AnyField {
  // Values, stamps, observers and deliveries only: rules, items, imports and forms are composed
  // onto a field from above, as the attachment and the extras of its details.

  @exclusivity(unchecked) @usableFromInline final var revisionCount = 0

  // Seconds since the reference date; NaN if it never happened. Half the size of a `Date?`.
  @exclusivity(unchecked) @usableFromInline final var updateStamp = Double.nan
  @exclusivity(unchecked) @usableFromInline final var changeStamp = Double.nan

  /// The part that only some fields have; made once and retained by hand, so that reads retain
  /// nothing.
  @exclusivity(unchecked) @usableFromInline
  final var ownedDetails: Unmanaged<FieldDetails>?

  /// Made when a change has to wait for the first time.
  ///
  /// Retained by hand, so that deliveries do not retain it.
  @exclusivity(unchecked) @usableFromInline final var deliverer: Unmanaged<FieldDeliverer>?

  /// The delivery in which it was set last, and the number of sets in it.
  @exclusivity(unchecked) @usableFromInline final var lastDelivery: UInt32 = 0
  @exclusivity(unchecked) @usableFromInline final var setsInDelivery: UInt16 = 0

  @exclusivity(unchecked) @usableFromInline final var flags: FieldFlags = []

  /// The logarithm of the number of observers at which those with a deallocated owner are removed.
  @exclusivity(unchecked) final var observerLimit: UInt8 = 5

  @inlinable
  init() {}

  deinit {
    deliverer?.release()
    ownedDetails?.release()
  }

  /// The number of accepted values, equal ones included; it never decreases.
  ///
  /// A transaction that is rolled back counts as one more.
  public final var revision: Int { revisionCount }

  /// The name that people read; empty by default.
  public final var name: String {
    get { details?.name ?? "" }
    set { ensureDetails().name = newValue }
  }

  /// The key in dictionaries and JSON; the name by default.
  public final var key: String {
    get { details?.key ?? name }
    set { ensureDetails().key = newValue }
  }

  /// Its position among other fields, lower first; zero by default.
  public final var order: Int {
    get { details?.order ?? 0 }
    set { ensureDetails().order = newValue }
  }

  /// The last time that a value was set; nil if none was.
  public final var updatedAt: Date? {
    updateStamp.isNaN ? nil : Date(timeIntervalSinceReferenceDate: updateStamp)
  }

  /// The last time that the value changed; nil if it never did.
  public final var changedAt: Date? {
    changeStamp.isNaN ? nil : Date(timeIntervalSinceReferenceDate: changeStamp)
  }

  /// Whether the value is known; a known value may be nil.
  @inlinable
  public final var isKnown: Bool { flags.contains(.isKnown) }

  /// The source of its timestamps.
  public final var time: TimeSource {
    get { details?.time ?? .system }
    set { ensureDetails().time = newValue }
  }

  @usableFromInline
  final var details: FieldDetails? { ownedDetails?.takeUnretainedValue() }

  @usableFromInline
  final func ensureDetails() -> FieldDetails {
    if let details { return details }
    let made = FieldDetails()
    ownedDetails = .passRetained(made)
    return made
  }

  /// The extra of a type; nil if there is none.
  package final func extra<Extra: FieldExtra>(_ type: Extra.Type) -> Extra? {
    details?.extra(type)
  }

  /// The extra of a type, made if there is none.
  package final func ensureExtra<Extra: FieldExtra>(_ make: @autoclosure () -> Extra) -> Extra {
    ensureDetails().ensureExtra(make())
  }

  /// Returns a field without a value to the state in which its value is not known.
  package final func forgetThatNilIsKnown() {
    flags.remove(.isKnown)
  }

  /// The current time by the field's time source, in seconds since the reference date.
  @inlinable
  final var currentStamp: Double {
    ownedDetails == nil ? Date.timeIntervalSinceReferenceDate : currentStampOfOwnTime
  }

  @usableFromInline
  final var currentStampOfOwnTime: Double {
    time.now.timeIntervalSinceReferenceDate
  }

  /// The time at which a wave reached this field, by the field's time source.
  @inlinable
  final func stamp(of wave: FieldWave) -> Double {
    if wave.systemStamp.isNaN || ownedDetails != nil { return currentStamp(of: wave) }
    return wave.systemStamp
  }

  @usableFromInline
  final func currentStamp(of wave: FieldWave) -> Double {
    hasOwnTime || wave.systemStamp.isNaN ? currentStamp : wave.systemStamp
  }

  @usableFromInline
  final var hasOwnTime: Bool { details?.time != nil }

  /// A wave that begins at this field, at a time by the field's time source.
  @inlinable
  final func wave(beginningAt stamp: Double) -> FieldWave {
    FieldWave(
      root: ObjectIdentifier(self), systemStamp: ownedDetails == nil || !hasOwnTime ? stamp : .nan)
  }

  /// Marks the fields that are derived from this one as out of date.
  final func invalidateFollowers() {
    guard let details, !details.followers.isEmpty else { return }
    let context = DeliveryContext.current
    // So many sets of it in one batch pass over its followers once.
    if details.followers.count > 8, context.hasInvalidated(followersOf: self) { return }
    details.followers.removeAll { $0.follower == nil }
    context.invalidate(details.followers)
  }

  /// Records the field in an open batch, before a change that is not a set.
  final func recordForBatch() {
    let context = DeliveryContext.current
    if context.isRecording { context.record(self, origin: .code) }
  }

  // MARK: - Overrides that know the type of the value

  /// The state before the first change of a batch or a transaction.
  func snapshot() -> FieldSnapshot? { nil }

  /// Queues one change for all that were made in a batch.
  ///
  /// - Returns: whether the value differs from the one before the batch.
  func finishBatch(from snapshot: FieldSnapshot) -> Bool { false }

  /// Restores the state of a snapshot.
  func restore(_ snapshot: FieldSnapshot) {}

  /// Recomputes a value that is computed on demand, if it is out of date.
  package func bringUpToDate() {}

  /// Calls a closure with each change as long as the owner lives; without an owner, as long as the
  /// field lives.
  package func forEachChange(for owner: AnyObject?, _ body: @escaping () -> Void) {}
}

/// The flags of a field, in one byte.
@usableFromInline
struct FieldFlags: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @inlinable static var isKnown: Self { Self(rawValue: 1) }
  @inlinable static var isLoading: Self { Self(rawValue: 2) }
  @inlinable static var hasFailed: Self { Self(rawValue: 4) }
  @inlinable static var isTracked: Self { Self(rawValue: 8) }
  /// What the load phase consists of, besides the value and the error.
  static var phase: Self { [.isKnown, .isLoading, .hasFailed] }
  /// It has fields derived from it, or observers of its state: a set takes the slow path.
  @inlinable static var hasFollowers: Self { Self(rawValue: 16) }
  /// It has observers that receive equal sets, too.
  @inlinable static var hasEverySet: Self { Self(rawValue: 32) }
  /// Its value has items, which follow each set.
  @inlinable static var hasItems: Self { Self(rawValue: 64) }
}

/// The origin of a change of a field.
public enum ChangeOrigin: Sendable, Hashable {
  /// No change: an observer's first call.
  case registration
  /// Code that set the value.
  case code
  /// The user's input.
  case user
  /// Another field or object that the field is bound to.
  case binding
  /// The sources of a derived field.
  case derivation
  /// Imported or decoded data.
  case importing
  /// Undo, redo or reset.
  case restoring
}

/// Where and when a wave of bindings began, so that the first field recognises it when it returns.
@usableFromInline
struct FieldWave: Sendable {
  @usableFromInline let root: ObjectIdentifier?

  /// The system time at its beginning, in seconds since the reference date.
  ///
  /// All fields without a time source of their own share this reading. NaN if the first field has a
  /// time source of its own.
  @usableFromInline let systemStamp: Double

  @inlinable
  init(root: ObjectIdentifier?, systemStamp: Double) {
    self.root = root
    self.systemStamp = systemStamp
  }
}
