public import FieldstoneCore
public import Foundation

/// What all fields have in common, whatever their value: names, revision and timestamps.
///
/// It is the way to hold fields of several types together. Only the fields of this package are
/// subclasses.
public class AnyField {
  @exclusivity(unchecked) @usableFromInline final var revisionCount = 0

  // Seconds since the reference date; not a number when it never happened. Half of a `Date?`.
  @exclusivity(unchecked) @usableFromInline final var updateStamp = Double.nan
  @exclusivity(unchecked) @usableFromInline final var changeStamp = Double.nan

  /// What only some fields have, made once; owned by hand, so that it is reached without retaining.
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

  /// How often a value was accepted, equal ones included; it never goes back.
  ///
  /// A transaction that takes sets back counts as one more.
  public final var revision: Int { revisionCount }

  /// What people call it; empty unless given.
  public final var name: String {
    get { details?.name ?? "" }
    set { ensureDetails().name = newValue }
  }

  /// What it is called in dictionaries and JSON: the name unless given.
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

  // MARK: - For deliveries

  /// Takes down the state before the first change of a transaction.
  func snapshot() -> FieldSnapshot? { nil }

  /// Queues one change for all that were made in a batch.
  func finishBatch(from snapshot: FieldSnapshot) {}

  /// Tells of the state once a batch is finished, unless a change is delivered that does so.
  func tellValidation(from snapshot: FieldSnapshot) {}

  /// Takes back everything that was done since a snapshot.
  func restore(_ snapshot: FieldSnapshot) {}

  /// Brings a value up to date that is computed when it is asked for.
  func bringUpToDate() {}

  // MARK: - Validation

  /// Asks the synchronous rules: a single issue of one of them makes the value invalid.
  ///
  /// Issues that were added from outside are dropped. A field with asynchronous rules is unknown
  /// until they were asked, too: `await validateAll()`.
  @discardableResult
  public func validate() -> ValidationState { validateTheLongWay() }

  /// What the field knows of its value being right; nil where it has no rules.
  var rules: FieldValidation? { details?.validation }

  /// The same, made if it has to be.
  func ensureValidation() -> FieldValidation {
    ensureDetails().ensureValidation { FieldValidation() }
  }

  /// The value as it is, for ``stillHas(_:)``.
  var valueToCompare: Any { () }

  /// Whether the value is equal to what it was.
  func stillHas(_ value: Any) -> Bool { true }

  /// What the synchronous rules find.
  func checkValue() -> [FieldIssue] { [] }

  /// What the synchronous rules of the items find.
  ///
  /// - Parameter all: whether to ask about items, too, that were asked about already.
  func checkItems(all: Bool) -> [FieldItemID: [FieldIssue]] { [:] }

  /// How many synchronous rules the items have.
  var itemRuleCount: Int { 0 }

  /// What to ask the asynchronous rules, of the field and of its items.
  var questions: [FieldCheck.Question] { [] }

  /// Whether there are rules of the items.
  var hasItemRules: Bool { false }

  /// Whether items have to be asked about, too.
  var hasAsyncItemRules: Bool { false }

  /// What was found wrong with single items, with the place where they are now.
  var issuesOfItems: [FieldIssue] { [] }

  /// Calls a closure with each change, as long as the field lives.
  func forEachChange(_ body: @escaping () -> Void) {}

  /// Calls a closure with each change, as long as the owner lives.
  func addDependent(_ owner: AnyObject, _ body: @escaping () -> Void) {}

  // MARK: - Import and export

  /// Whether it can be set, and so be imported.
  var isSettable: Bool { false }

  /// Takes a value from outside, made by the field's transformer.
  ///
  /// Nil, which means that there is nothing for the field, leaves it untouched; `JSONValue.null`
  /// sets it to nil. A malformed value is not taken: the field keeps its own and gets an issue,
  /// which replaces those of earlier imports. Fields that can't be set stay untouched.
  ///
  /// - Parameters:
  ///   - json: the value from outside.
  ///   - name: the name of the transformer; a field that has none of that name uses its usual one.
  @discardableResult
  public func importValue(_ json: JSONValue?, with name: String? = nil) -> FieldImportResult {
    .untouched
  }

  /// The value for outside, made by the field's transformer: null when it is known to be nil, and
  /// nil when nothing is known of it.
  ///
  /// - Parameter name: the name of the transformer; a field that has none of that name uses its
  ///   usual one.
  /// - Throws: an issue when there is no transformer, or the value can't be written.
  public func exportValue(with name: String? = nil) throws(FieldIssue) -> JSONValue? { nil }
}

/// What is true of a field, in one byte.
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
  /// Its value has items with identities, which follow each set.
  @inlinable static var hasItems: Self { Self(rawValue: 64) }
}
