public import FieldstoneCore
public import Foundation

/// The common part of all fields, whatever their value: names, revision and timestamps.
///
/// It is the way to hold fields of several types together. Only the fields of this package are
/// subclasses.
public class AnyField {
  // Values, stamps, observers and deliveries only: rules, items, imports and forms are composed onto
  // a field from above, as the attachment and the extras of its details.

  @exclusivity(unchecked) @usableFromInline final var revisionCount = 0

  // Seconds since the reference date; not a number when it never happened. Half of a `Date?`.
  @exclusivity(unchecked) @usableFromInline final var updateStamp = Double.nan
  @exclusivity(unchecked) @usableFromInline final var changeStamp = Double.nan

  /// The part that only some fields have, made once; owned by hand, to be reached without a retain.
  @exclusivity(unchecked) @usableFromInline
  final var ownedDetails: Unmanaged<FieldDetails>?

  /// Made when a change has to wait for the first time.
  ///
  /// Owned by hand, so that deliveries reach it without retaining it.
  @exclusivity(unchecked) @usableFromInline final var deliverer: Unmanaged<FieldDeliverer>?

  /// The delivery in which it was last set, and how often in that one.
  @exclusivity(unchecked) @usableFromInline final var lastDelivery: UInt32 = 0
  @exclusivity(unchecked) @usableFromInline final var setsInDelivery: UInt16 = 0

  @exclusivity(unchecked) @usableFromInline final var flags: FieldFlags = []

  @inlinable
  init() {}

  deinit {
    deliverer?.release()
    ownedDetails?.release()
  }

  /// The number of accepted values, equal ones included; it never decreases.
  ///
  /// A transaction that takes sets back counts as one more.
  public final var revision: Int { revisionCount }

  /// The name that people read; empty unless given.
  public final var name: String {
    get { details?.name ?? "" }
    set { ensureDetails().name = newValue }
  }

  /// The key in dictionaries and JSON: the name unless given.
  public final var key: String {
    get { details?.key ?? name }
    set { ensureDetails().key = newValue }
  }

  /// Its place among other fields, lower first; zero unless given.
  public final var order: Int {
    get { details?.order ?? 0 }
    set { ensureDetails().order = newValue }
  }

  /// The last time that any value was set; nil when none was.
  public final var updatedAt: Date? {
    updateStamp.isNaN ? nil : Date(timeIntervalSinceReferenceDate: updateStamp)
  }

  /// The last time that another value was set; nil when none was.
  public final var changedAt: Date? {
    changeStamp.isNaN ? nil : Date(timeIntervalSinceReferenceDate: changeStamp)
  }

  /// Whether a value is known, which may be nil.
  @inlinable
  public final var isKnown: Bool { flags.contains(.isKnown) }

  /// Where its timestamps come from.
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

  /// The part of a type that something above has composed onto the field; nil where there is none.
  package final func extra<Extra: FieldExtra>(_ type: Extra.Type) -> Extra? {
    details?.extra(type)
  }

  /// The same, made if it has to be.
  package final func ensureExtra<Extra: FieldExtra>(_ make: @autoclosure () -> Extra) -> Extra {
    ensureDetails().ensureExtra(make())
  }

  /// Puts a field without a value back to the state in which its value is not known.
  package final func forgetThatNilIsKnown() {
    flags.remove(.isKnown)
  }

  /// The present moment by the field's time source, in seconds since the reference date.
  @inlinable
  final var currentStamp: Double {
    ownedDetails == nil ? Date.timeIntervalSinceReferenceDate : currentStampOfOwnTime
  }

  @usableFromInline
  final var currentStampOfOwnTime: Double {
    time.now.timeIntervalSinceReferenceDate
  }

  /// When a wave reached this field, by the field's time source.
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

  /// A wave that begins here, at a moment by the field's time source.
  @inlinable
  final func wave(beginningAt stamp: Double) -> FieldWave {
    FieldWave(
      root: ObjectIdentifier(self), systemStamp: ownedDetails == nil || !hasOwnTime ? stamp : .nan)
  }

  /// Tells the fields that are derived from this one that they are out of date.
  final func invalidateFollowers() {
    guard let details, !details.followers.isEmpty else { return }
    details.followers.removeAll { $0.follower == nil }
    DeliveryContext.current.invalidate(details.followers)
  }

  /// Lets an open transaction take back what is done next without a set.
  final func recordForBatch() {
    let context = DeliveryContext.current
    if context.isRecording { context.record(self, origin: .code) }
  }

  // MARK: - What needs the type of the value

  /// The state before the first change of a batch or a transaction.
  func snapshot() -> FieldSnapshot? { nil }

  /// Queues one change for all that were made in a batch.
  ///
  /// - Returns: whether the value is another one than before.
  func finishBatch(from snapshot: FieldSnapshot) -> Bool { false }

  /// Takes back everything that was done since a snapshot.
  func restore(_ snapshot: FieldSnapshot) {}

  /// Brings a value up to date that is computed when it is asked for.
  package func bringUpToDate() {}

  /// Calls a closure with each change, as long as the owner lives; as long as the field lives where
  /// there is no owner.
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
  /// It has fields derived from it, or observers of its state: a set takes the long way.
  @inlinable static var hasFollowers: Self { Self(rawValue: 16) }
  /// It has observers that hear equal sets, too.
  @inlinable static var hasEverySet: Self { Self(rawValue: 32) }
  /// Its value has items, which follow each set.
  @inlinable static var hasItems: Self { Self(rawValue: 64) }
}

/// Where a change of a field came from.
public enum ChangeOrigin: Sendable, Hashable {
  /// No change: the first call of a new observer.
  case registration
  /// Code that set the value.
  case code
  /// The person at the screen.
  case user
  /// Another field or object that the field is bound to.
  case binding
  /// The fields that a derived field is made from.
  case derivation
  /// Imported or decoded data.
  case importing
  /// Undo, redo or reset.
  case restoring
}

/// Where a wave of bound fields began and when, so that it is known again when it comes back.
@usableFromInline
struct FieldWave: Sendable {
  @usableFromInline let root: ObjectIdentifier?

  /// When it began by the system's clock, in seconds since the reference date.
  ///
  /// All fields without a time source of their own share the reading. Not a number where the first
  /// one has one.
  @usableFromInline let systemStamp: Double

  @inlinable
  init(root: ObjectIdentifier?, systemStamp: Double) {
    self.root = root
    self.systemStamp = systemStamp
  }
}
