/// Sets several fields together: in a batch, or in a transaction that can be rolled back.
public enum Fields {
  /// Sets fields, and delivers one change of each changed field at the end.
  ///
  /// A change leads from the value before the batch to the value after it. A field that ends as it
  /// began is not delivered. Values are stored at once, and can be read inside. Batches inside
  /// batches end with the outermost one. The body is synchronous, as is the delivery.
  ///
  /// - Throws: what the body throws; values that were set until then stay and are delivered.
  public static func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
    let context = DeliveryContext.current
    context.openBatch()
    defer { context.closeBatch() }
    return try body()
  }

  /// Runs a body inside an observer, and delivers the fields that it sets at once.
  ///
  /// An observer that runs its own event loop, such as a modal panel of macOS, blocks its delivery:
  /// fields that the loop's events set on this thread are delivered only when the observer returns.
  /// Inside this function they are delivered at once.
  ///
  /// ```swift
  /// hasConflict.observe(owner: window) { window, change in
  ///   if change.new == true { Fields.deliverInside { alert.runModal() } }
  /// }
  /// ```
  ///
  /// Queued changes are delivered before the body. Observers that receive a newer change inside do
  /// not receive the older one that the observer was called for. Outside of an observer, and inside
  /// a batch or a transaction, it only calls the body.
  ///
  /// - Throws: what the body throws.
  public static func deliverInside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try DeliveryContext.current.deliverInside(body)
  }

  /// Sets fields, and rolls everything back if the body throws.
  ///
  /// A rollback restores values, states and timestamps, and delivers nothing. Only observers and
  /// bindings that were registered inside receive the restored values.
  ///
  /// Otherwise it works as ``batch(_:)`` does. An inner transaction rolls back its own part.
  ///
  /// - Throws: what the body throws.
  public static func transaction<Result>(_ body: () throws -> Result) rethrows -> Result {
    let context = DeliveryContext.current
    context.openBatch()
    do {
      let result = try body()
      context.closeBatch()
      return result
    } catch {
      context.takeBackBatch()
      throw error
    }
  }
}

/// The changes of one batch or transaction.
struct FieldBatch {
  /// The fields in the order of their first change.
  private(set) var fields: [AnyField] = []
  private var snapshots: [ObjectIdentifier: FieldSnapshot] = [:]

  /// Fields that an inner transaction rolled back; their validity may depend on other fields.
  var takenBack: [AnyField] = []

  /// Closures that roll back other state than fields, such as typed text.
  private(set) var others: [() -> Void] = []
  /// Corrects observers that registered meanwhile and received values that did not stay, in their
  /// order.
  var newcomers: [() -> Void] = []

  private var recordedOthers: Set<ObjectIdentifier> = []

  mutating func record(_ field: AnyField, origin: ChangeOrigin) {
    guard snapshots[ObjectIdentifier(field)] == nil, var snapshot = field.snapshot() else { return }
    snapshot.origin = origin
    fields.append(field)
    snapshots[ObjectIdentifier(field)] = snapshot
  }

  mutating func record(_ takeBack: @escaping () -> Void) {
    others.append(takeBack)
  }

  /// Whether an object is recorded for the first time.
  mutating func isFirst(of object: AnyObject) -> Bool {
    recordedOthers.insert(ObjectIdentifier(object)).inserted
  }

  /// Takes over the changes of an inner batch; the older snapshot wins if both have one.
  mutating func merge(_ inner: FieldBatch) {
    takenBack += inner.takenBack
    others += inner.others
    newcomers += inner.newcomers
    for field in inner.fields where snapshots[ObjectIdentifier(field)] == nil {
      fields.append(field)
      snapshots[ObjectIdentifier(field)] = inner.snapshots[ObjectIdentifier(field)]
    }
  }

  /// Adjusts the recorded revision of a field that an inner rollback has moved without a set.
  mutating func moveRevision(of field: AnyField, by count: Int) {
    snapshots[ObjectIdentifier(field)]?.revision &+= count
  }

  func forEach(_ body: (AnyField, FieldSnapshot) -> Void) {
    for field in fields {
      if let snapshot = snapshots[ObjectIdentifier(field)] { body(field, snapshot) }
    }
  }
}

extension DeliveryContext {
  @usableFromInline
  func record(_ field: AnyField, origin: ChangeOrigin) {
    batches[batches.count - 1].record(field, origin: origin)
  }

  /// Calls a closure if the open batch is rolled back, after the fields were.
  func recordForTakingBack(_ takeBack: @escaping () -> Void) {
    if isRecording { batches[batches.count - 1].record(takeBack) }
  }

  /// Restores an object's state if the open batch is rolled back; only the first call for it
  /// counts.
  ///
  /// The object has to live until then.
  package func recordForTakingBack(of object: AnyObject, _ make: () -> () -> Void) {
    guard isRecording, batches[batches.count - 1].isFirst(of: object) else { return }
    recordForTakingBack(make())
  }

  /// Calls a closure at the end of the open batch, or after everything else was rolled back.
  func recordNewcomer(_ correct: @escaping () -> Void) {
    if isRecording { batches[batches.count - 1].newcomers.append(correct) }
  }

  func openBatch() {
    batches.append(FieldBatch())
    isRecording = true
  }

  func closeBatch() {
    guard let batch = batches.popLast() else { return }
    if batches.isEmpty {
      // Derived fields join the batch before it is closed, so that each is delivered once.
      batches = [batch]
      updateFollowers(upTo: .max)
      let whole = batches.popLast() ?? batch
      isRecording = false
      deliver {
        var unchanged: [AnyField] = []
        whole.forEach { field, snapshot in
          if !field.finishBatch(from: snapshot) { unchanged.append(field) }
        }
        for correct in whole.newcomers { correct() }
        for field in unchanged + whole.takenBack { field.attachmentBatchHasEnded() }
      }
    } else {
      batches[batches.count - 1].merge(batch)
    }
  }

  func takeBackBatch() {
    guard let batch = batches.popLast() else { return }
    isRecording = !batches.isEmpty
    deliver {
      batch.forEach { field, snapshot in
        field.restore(snapshot)
        field.invalidateFollowers()
        for outer in batches.indices {
          batches[outer].moveRevision(of: field, by: field.revision &- snapshot.revision)
        }
      }
      for takeBack in batch.others.reversed() { takeBack() }
      isTakingBack = true
      for correct in batch.newcomers { correct() }
      isTakingBack = false
      let takenBack = batch.fields + batch.takenBack
      for field in takenBack { field.attachmentBatchHasEnded() }
      if isRecording { batches[batches.count - 1].takenBack += takenBack }
    }
  }
}

/// The state of a field before a batch or a transaction.
struct FieldSnapshot {
  let value: Any
  let flags: FieldFlags
  let updateStamp: Double
  let changeStamp: Double
  var revision: Int
  let error: (any Error)?
  var phaseChanges: Int?
  /// The state of the attachment.
  let attached: Any?
  var origin: ChangeOrigin = .code
  /// The additional state of some kinds of fields.
  var own: Any?
}

extension AnyField {
  fileprivate func attachmentBatchHasEnded() { details?.attachment?.batchHasEnded(of: self) }
}
