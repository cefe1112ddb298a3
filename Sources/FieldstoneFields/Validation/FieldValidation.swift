import FieldstoneCore

/// The result of validating a value. (Seed: MagneticFields' `ValidationState`.)
public enum ValidationState: Sendable, Hashable {
  /// It has not been validated since it was set.
  case unknown
  /// Asynchronous rules are running, or will run after the debounce.
  case validating
  /// All rules hold.
  case valid
  /// The value can't be accepted; these are the issues, which may include warnings.
  case invalid([FieldIssue])
}

extension ValidationState {
  /// Whether all rules are known to hold.
  public var isValid: Bool { self == .valid }

  /// Whether the value is known to be unacceptable.
  public var isInvalid: Bool {
    if case .invalid = self { true } else { false }
  }

  /// The issues of an invalid value; empty in all other states.
  public var issues: [FieldIssue] {
    if case .invalid(let issues) = self { issues } else { [] }
  }
}

/// The validation of a field: rules and findings, without the type of the value.
@usableFromInline
class FieldValidation: FieldAttachment {
  /// How far the synchronous rules have come with the value as it is.
  @usableFromInline
  enum Status {
    case unknown, passed, failed
  }

  /// How far the asynchronous rules have come with the value as it is.
  enum AsyncStatus {
    case unknown, running, done
  }

  /// The state before a batch or a transaction.
  struct Snapshot {
    var status = Status.unknown
    var asyncStatus = AsyncStatus.unknown
    var found: [FieldIssue] = []
    var asyncFound: [FieldIssue] = []
    var failing: UInt64 = 0
    var asyncFailing: UInt64 = 0
    var pending: PendingCheck?
    var sourceValues: [Any] = []
    var itemIssues: [FieldItemID: [FieldIssue]] = [:]
    var asyncItemIssues: [FieldItemID: [FieldIssue]] = [:]
    var answeredItems: [FieldItemID: Int] = [:]
    var uncheckedItems = UncheckedItems()
    var added: [FieldIssue] = []
    var wasForgotten = false
    var additionCount = 0
  }

  /// The findings of the synchronous rules, with the values of other fields that they saw.
  struct Findings {
    let found: [FieldIssue]
    let itemIssues: [FieldItemID: [FieldIssue]]
    let itemRuleCount: Int
    let sourceValues: [Any]

    var status: Status {
      (found + itemIssues.values.joined()).contains(where: \.isError) ? .failed : .passed
    }

    /// Whether they are nothing new.
    func areKnown(to validation: FieldValidation) -> Bool {
      validation.isCurrent && validation.found == found && validation.itemIssues == itemIssues
    }
  }

  /// Issues that were added from outside; the next set and the next validation drop them.
  @exclusivity(unchecked) final var added: [FieldIssue] = [] {
    didSet { hasAdded = !added.isEmpty }
  }
  @exclusivity(unchecked) @usableFromInline private(set) final var hasAdded = false

  @exclusivity(unchecked) @usableFromInline final var status = Status.unknown
  final var asyncStatus = AsyncStatus.unknown

  /// Why the rules were asked last; an untracked field does not record it.
  final var trigger = ValidationTrigger.none

  /// Whether the open batch has dropped the results, so that its end does not restore them.
  final var wasForgotten = false

  /// How often rules were added, to the field or to its items: findings without them are not
  /// restored.
  private final var additionCount = 0

  /// Whether the rules of the field's items know this field.
  final var isKnownToItemRules = false

  /// The findings of the synchronous rules, warnings included.
  final var found: [FieldIssue] = []

  /// The findings of the asynchronous rules.
  final var asyncFound: [FieldIssue] = []

  /// The synchronous rules that have found something, by their bits; meaningless without findings.
  final var failing: UInt64 = 0

  /// The asynchronous rules that have found something, the first in the lowest bit.
  final var asyncFailing: UInt64 = 0

  /// Whether the value has changed since asynchronous rules were being asked about another one.
  final var hasGivenUp = false

  /// The findings about single items, which stay with the items.
  final var itemIssues: [FieldItemID: [FieldIssue]] = [:]
  final var asyncItemIssues: [FieldItemID: [FieldIssue]] = [:]

  /// How many asynchronous rules have answered about the values that items have: an edit of one
  /// item asks nothing about the others.
  final var answeredItems: [FieldItemID: Int] = [:]

  /// Items about whose values the synchronous rules were not asked: an edit of one item asks nothing
  /// about the others.
  final var uncheckedItems = UncheckedItems()

  /// How many item rules have found what is known of the others.
  final var checkedRuleCount = 0

  /// The questions that are under way.
  final var pending: PendingCheck?

  /// The number of changes of the value, for rules that change it.
  @exclusivity(unchecked) @usableFromInline final var changeCount = 0

  /// The fields that rules look at besides their own, and their values when they did.
  final var sources = RuleSources()
  final var sourceValues: [Any] = []

  /// Whether validating is nothing more than asking the rules: there are no observers, no other
  /// field is looked at, nothing is found and nothing asynchronous is asked.
  @exclusivity(unchecked) @usableFromInline final var isSimple = true

  /// The observers of the state.
  final var observers: ValidityObservers?

  /// The array fields whose items these rules are for; those that are gone are dropped in time.
  private final var arrays: [WeakArray] = []

  @usableFromInline
  override init() {
    super.init()
  }

  /// Whether there are no rules at all.
  var isEmpty: Bool { true }

  /// Whether there are rules that have to be asked asynchronously.
  var hasAsyncRules: Bool { false }

  /// How many rules there are that have to be asked asynchronously.
  var asyncRuleCount: Int { 0 }

  /// The synchronous rules, for tools that show them.
  var ruleNames: [RuleName] { [] }

  /// The asynchronous rules, for tools that show them.
  var asyncRuleNames: [(name: String, debounce: Duration)] { [] }

  /// Whether the value of a field is nil.
  func isNil(_ field: AnyField) -> Bool { false }

  /// Whether one of the rules refuses nil.
  var refusesNil: Bool { false }

  /// How many synchronous rules there are.
  var ruleCount: Int { 0 }

  /// The issues that the synchronous rules find with the value of a field.
  func check(_ field: AnyField) -> [FieldIssue] { [] }

  /// The questions for the asynchronous rules about the value of a field.
  func questions(about field: AnyField) -> [FieldCheck.Question] { [] }

  /// Whether the rules were asked about the value, and the sources are as they were then.
  final var isCurrent: Bool {
    status != .unknown && areSourcesCurrent
  }

  /// Whether the sources are as they were when the rules were asked last.
  private var areSourcesCurrent: Bool {
    // Values and not revisions: an equal set is no change, nor is one that was taken back.
    sources.areAll(sourceValues)
  }

  /// Whether what so many rules have found about items that did not change holds still.
  final func keepsItemFindings(of ruleCount: Int) -> Bool {
    ruleCount == checkedRuleCount && !uncheckedItems.isAll && areSourcesCurrent
  }

  /// Forgets what is known of the value that was.
  ///
  /// - Parameter keepsCheck: whether the questions go on, as the value may be taken back.
  final func valueHasChanged(keepsCheck: Bool) {
    changeCount &+= 1
    status = .unknown
    if isSimple, asyncStatus == .unknown { return }
    asyncStatus = .unknown
    found = []
    asyncFound = []
    let old = pending.take()
    if old != nil { hasGivenUp = true }
    if !keepsCheck { old?.check.cancel() }
    isSimple = isSimpleByNature
  }

  /// Forgets what was found without a rule that was added, to the field or to its items.
  ///
  /// - Parameter isAsync: whether what the synchronous rules have found still holds.
  final func noteAddedRule(isAsync: Bool = false) {
    additionCount &+= 1
    if !isAsync { status = .unknown }
    forgetAsync()
    for array in arrayFields { array.validation?.noteAddedRule(isAsync: isAsync) }
  }

  /// Takes what the synchronous rules have found.
  ///
  /// - Parameter keepsCheck: whether the questions go on, as this may be taken back.
  final func take(_ findings: Findings, keepsCheck: Bool) {
    status = findings.status
    found = findings.found
    itemIssues = findings.itemIssues
    uncheckedItems.removeAll()
    checkedRuleCount = findings.itemRuleCount
    sourceValues = findings.sourceValues
    if status == .failed { forgetAsync(keepsCheck: keepsCheck) }
    isSimple = isSimpleByNature && found.isEmpty
  }

  /// Gives the asynchronous questions and their answers up; those about items, which hold as long
  /// as their values, stay.
  ///
  /// - Parameter keepsCheck: whether the questions go on, as this may be taken back.
  final func forgetAsync(keepsCheck: Bool = false) {
    asyncStatus = .unknown
    asyncFound = []
    let old = pending.take()
    if !keepsCheck { old?.check.cancel() }
  }

  /// Forgets what was answered about items, so that they are asked about again.
  ///
  /// - Parameter isBad: whether to forget only what was not good.
  final func forgetItemAnswers(ifBad isBad: Bool = false) {
    guard isBad else {
      asyncItemIssues = [:]
      answeredItems = [:]
      return
    }
    for (item, issues) in asyncItemIssues where issues.contains(where: \.isError) {
      asyncItemIssues[item] = nil
      answeredItems[item] = nil
    }
  }

  /// Forgets the results of items that are gone, which a batch has restored because the values are
  /// equal.
  ///
  /// - Parameters:
  ///   - wasChecked: whether the synchronous rules were asked within the batch.
  ///   - wasAsked: whether the asynchronous rules were.
  final func forgetItems(but present: [FieldItemID], wasChecked: Bool, wasAsked: Bool) {
    let present = Set(present)
    keepItems { present.contains($0) }
    if !wasChecked { status = .unknown }
    if !wasAsked { forgetAsync() }
  }

  /// Whether something was found wrong with an item that is worth asking again.
  final var hasBadItemAnswers: Bool {
    asyncItemIssues.values.contains { $0.contains(where: \.isError) }
  }

  final override func valueWasSet(of field: AnyField, isChange: Bool, in context: DeliveryContext) {
    let hadAdded = hasAdded
    if hadAdded { added = [] }
    if isChange {
      // What is under way goes on within a batch: the value may be taken back.
      valueHasChanged(keepsCheck: context.isRecording)
    } else if hadAdded, let observers, !context.isRecording {
      // No other code notifies observers of an equal set outside a batch.
      context.queue(field, for: observers)
    }
  }

  final override func batchHasEnded(of field: AnyField) { field.notifyValidation() }

  final override func finishBatch(from snapshot: Any?, isChange: Bool) {
    let before = snapshot as? Snapshot ?? Snapshot()
    defer { wasForgotten = false }
    if !isChange, before.additionCount == additionCount {
      // A value that is as it was before is as valid as it was, too.
      if status == .unknown, !wasForgotten { return restoreFindings(before) }
      let isAskedAbout = before.asyncStatus != .unknown && asyncStatus == .unknown
      if status == .passed, isAskedAbout { return takeOverAsync(before) }
    }
    if before.pending !== pending { before.pending?.check.cancel() }
  }

  /// Takes over answers, and open questions, about the same value.
  private func takeOverAsync(_ snapshot: Snapshot) {
    asyncStatus = snapshot.asyncStatus
    asyncFound = snapshot.asyncFound
    asyncFailing = snapshot.asyncFailing
    asyncItemIssues = snapshot.asyncItemIssues
    answeredItems = snapshot.answeredItems
    pending = snapshot.pending
  }

  final var isSimpleByNature: Bool {
    observers == nil && sources.isEmpty && !hasAsyncRules && itemIssues.isEmpty
      && asyncItemIssues.isEmpty
  }

  final override var snapshot: Any? {
    Snapshot(
      status: status, asyncStatus: asyncStatus, found: found, asyncFound: asyncFound,
      failing: failing, asyncFailing: asyncFailing, pending: pending, sourceValues: sourceValues,
      itemIssues: itemIssues,
      asyncItemIssues: asyncItemIssues, answeredItems: answeredItems,
      uncheckedItems: uncheckedItems, added: added, wasForgotten: wasForgotten,
      additionCount: additionCount)
  }

  final override func restore(_ snapshot: Any?) {
    let snapshot = snapshot as? Snapshot ?? Snapshot()
    added = snapshot.added
    wasForgotten = snapshot.wasForgotten
    restoreFindings(snapshot)
    // Rules are not rolled back, and those that were added since were not asked.
    if snapshot.additionCount != additionCount {
      status = .unknown
      forgetAsync()
    }
  }

  private func restoreFindings(_ snapshot: Snapshot) {
    changeCount &+= 1
    if pending !== snapshot.pending { pending?.check.cancel() }
    takeOverAsync(snapshot)
    status = snapshot.status
    found = snapshot.found
    failing = snapshot.failing
    sourceValues = snapshot.sourceValues
    itemIssues = snapshot.itemIssues
    uncheckedItems = snapshot.uncheckedItems
    isSimple = isSimpleByNature && found.isEmpty
  }
}

/// The observers of a field's validity, the state they heard last, and the states to be delivered.
///
/// It is a deliverer, too: a set that drops added issues queues the new state in its delivery.
final class ValidityObservers: FieldDeliverer {
  let list = Multicast<(ValidationState) -> Void>()
  var lastState: ValidationState
  var states = DeliveryLine<ValidationState>()

  init(lastState: ValidationState) {
    self.lastState = lastState
    super.init { field, _ in field.notifyValidation() }
  }
}

// MARK: - Items

/// An array field, held weakly by the rules of its items.
private struct WeakArray {
  weak var field: (any ItemizedField)?
}

extension FieldValidation {
  /// Adds an array field whose items these rules are for; O(1) amortised.
  func add(_ array: any ItemizedField) {
    arrays.appendSweeping(WeakArray(field: array)) { $0.field != nil }
  }

  /// The array fields whose items these rules are for.
  var arrayFields: [any ItemizedField] { arrays.compactMap(\.field) }

  /// Whether something is known of single items.
  var knowsItems: Bool { !uncheckedItems.isAll || hasItemFindings }

  /// Whether something was found or answered about single items.
  var hasItemFindings: Bool {
    !itemIssues.isEmpty || !asyncItemIssues.isEmpty || !answeredItems.isEmpty
  }

  /// Forgets what was found about an item.
  func forgetItem(_ item: FieldItemID) {
    guard hasItemFindings else { return }
    itemIssues[item] = nil
    asyncItemIssues[item] = nil
    answeredItems[item] = nil
  }

  /// Forgets what was found about items, but for those that a closure chooses.
  func keepItems(where isKept: (FieldItemID) -> Bool) {
    itemIssues = itemIssues.filter { isKept($0.key) }
    asyncItemIssues = asyncItemIssues.filter { isKept($0.key) }
    answeredItems = answeredItems.filter { isKept($0.key) }
  }
}

/// Items that the synchronous rules were not asked about; all of them to begin with.
struct UncheckedItems {
  private(set) var isAll = true

  /// Each with its place when it was added: where that still holds, no item is looked for.
  private var items: [FieldItemID: Int] = [:]

  mutating func insert(_ item: FieldItemID, at place: Int) {
    if !isAll { items[item] = place }
  }

  mutating func remove(_ item: FieldItemID) {
    items[item] = nil
  }

  mutating func insertAll() {
    self = UncheckedItems()
  }

  mutating func removeAll() {
    self = UncheckedItems()
    isAll = false
  }

  /// The places of those that are known one by one, among items in their order.
  ///
  /// O(k log k) for k of them where they are where they were, otherwise O(n).
  func places(in identities: [FieldItemID]) -> [Int] {
    let places = items.compactMap { item, place in
      identities.indices.contains(place) && identities[place] == item ? place : nil
    }
    if places.count == items.count { return places.inOrder }
    return identities.indices.filter { items[identities[$0]] != nil }
  }
}

/// A synchronous rule, for tools that show it.
struct RuleName {
  let name: String
  /// Its bit in ``FieldValidation/failing``.
  let bit: UInt64
  /// Whether it accepts nil.
  let passesNil: Bool
}

/// Questions that are under way, and how many wait for the answers where the field lives.
package final class PendingCheck {
  let check: FieldCheck
  var waiterCount = 0

  init(_ check: FieldCheck) {
    self.check = check
  }

  /// Asks at once where it waits for the debounce to be over.
  package func flush() {
    check.flush()
  }
}
