import FieldstoneCore

/// What a field knows of its value being right; the part that does not depend on its type.
@usableFromInline
class FieldValidation {
  /// How far the synchronous rules have come with the value as it is.
  @usableFromInline
  enum Status {
    case unknown, passed, failed
  }

  /// How far the asynchronous rules have come with the value as it is.
  enum AsyncStatus {
    case unknown, running, done
  }

  /// What is taken down before a batch or a transaction.
  struct Snapshot {
    var status = Status.unknown
    var asyncStatus = AsyncStatus.unknown
    var found: [FieldIssue] = []
    var asyncFound: [FieldIssue] = []
    var pending: PendingCheck?
    var sourceRevisions: [Int] = []
    var itemIssues: [FieldItemID: [FieldIssue]] = [:]
    var asyncItemIssues: [FieldItemID: [FieldIssue]] = [:]
  }

  @exclusivity(unchecked) @usableFromInline final var status = Status.unknown
  final var asyncStatus = AsyncStatus.unknown

  /// What the synchronous rules have found, warnings included.
  final var found: [FieldIssue] = []

  /// What the asynchronous rules have found.
  final var asyncFound: [FieldIssue] = []

  /// What was found wrong with single items; it goes where they go.
  final var itemIssues: [FieldItemID: [FieldIssue]] = [:]
  final var asyncItemIssues: [FieldItemID: [FieldIssue]] = [:]

  /// The questions that are under way.
  final var pending: PendingCheck?

  /// How often the value has changed, for rules that change it.
  final var changeCount = 0

  /// The fields that rules look at besides their own, and their revisions when they did.
  final var sources: [AnyField] = []
  final var sourceRevisions: [Int] = []

  /// Whether validating is nothing more than asking the rules: nobody observes, no other field is
  /// looked at, nothing is found and nothing asynchronous is asked.
  @exclusivity(unchecked) @usableFromInline final var isSimple = true

  /// Those who hear of the state, and what they heard last.
  final var observers: Multicast<() -> Void>?
  final var lastState = ValidationState.unknown

  /// The array field whose items these rules are for.
  final var onDependencyChange: (() -> Void)?

  @usableFromInline
  init() {}

  /// Whether there are rules that have to be asked asynchronously.
  var hasAsyncRules: Bool { false }

  /// Whether one of the rules refuses nil.
  var refusesNil: Bool { false }

  /// Whether the rules were asked about the value, and the sources are as they were then.
  final var isCurrent: Bool {
    status != .unknown && (sources.isEmpty || sourceRevisions == currentSourceRevisions)
  }

  final var currentSourceRevisions: [Int] {
    sources.map { source in
      source.bringUpToDate()
      return source.revisionCount
    }
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
    if !keepsCheck { old?.check.cancel() }
    isSimple = isSimpleByNature
  }

  /// Gives the asynchronous questions and their answers up.
  final func forgetAsync() {
    asyncStatus = .unknown
    asyncFound = []
    asyncItemIssues = [:]
    pending.take()?.check.cancel()
  }

  final var isSimpleByNature: Bool {
    observers == nil && sources.isEmpty && !hasAsyncRules && itemIssues.isEmpty
      && asyncItemIssues.isEmpty
  }

  final var snapshot: Snapshot {
    Snapshot(
      status: status, asyncStatus: asyncStatus, found: found, asyncFound: asyncFound,
      pending: pending, sourceRevisions: sourceRevisions, itemIssues: itemIssues,
      asyncItemIssues: asyncItemIssues)
  }

  final func restore(_ snapshot: Snapshot) {
    changeCount &+= 1
    if pending !== snapshot.pending { pending?.check.cancel() }
    status = snapshot.status
    asyncStatus = snapshot.asyncStatus
    found = snapshot.found
    asyncFound = snapshot.asyncFound
    pending = snapshot.pending
    sourceRevisions = snapshot.sourceRevisions
    itemIssues = snapshot.itemIssues
    asyncItemIssues = snapshot.asyncItemIssues
    isSimple = isSimpleByNature && found.isEmpty
  }
}

/// Questions that are under way, and how many wait for the answers where the field lives.
final class PendingCheck {
  let check: FieldCheck
  var waiterCount = 0

  init(_ check: FieldCheck) {
    self.check = check
  }
}
