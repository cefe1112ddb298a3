public import FieldstoneCore

extension ReadableField {
  /// Stores a value and delivers it, at once or when its turn comes.
  @inlinable
  final func store(
    _ newValue: Value?, origin: ChangeOrigin, wave: FieldWave, stamp: Double
  ) {
    let context = DeliveryContext.current
    if context.isRecording { context.record(self, origin: origin) }
    let old = storage
    let isPlain = flags.isSubset(of: [.isKnown])
    let isChange = old != newValue || !flags.contains(.isKnown)
    if isPlain {
      storage = newValue
      flags.insert(.isKnown)
    } else {
      storeTheLongWay(newValue)
    }
    revisionCount &+= 1
    updateStamp = stamp
    if isChange { changeStamp = stamp }
    if details != nil { dropIssues() }
    if context.isBusy { context.mark(self) }
    if context.isRecording || (observers == nil && isPlain) { return }
    guard isChange || flags.contains(.hasEverySet) else { return }
    let change = Change(
      old: old, new: newValue, origin: origin, revision: revisionCount, wave: wave)
    if context.isBusy {
      if context.mayDeliver(self) { enqueue(change, isChange: isChange) }
      return
    }
    context.begin()
    context.mark(self)
    setsInDelivery = 1
    // Derived fields come before observers: what has some waits for its turn, which is next.
    if isPlain { deliver(change, isChange: isChange) } else { enqueue(change, isChange: isChange) }
    context.end()
  }

  /// Stores a value where somebody watches the state, tracks the field or follows it.
  @usableFromInline
  final func storeTheLongWay(_ newValue: Value?) {
    let hadState = flags.contains(.isLoading) || flags.contains(.hasFailed)
    let tracker = flags.contains(.isTracked) ? details?.tracker : nil
    let isNews = hadState || !flags.contains(.isKnown)
    tracker?.willChange()
    let old = storage
    storage = newValue
    if flags.contains(.hasItems) { identifyItems(replacing: old) }
    flags.insert(.isKnown)
    flags.remove(.isLoading)
    flags.remove(.hasFailed)
    details?.error = nil
    tracker?.didChange()
    invalidateFollowers()
    if isNews { details?.stateObservers?.invokeEach { $0() } }
  }

  @usableFromInline
  final func dropIssues() {
    if details?.issues.isEmpty == false { details?.issues = [] }
  }

  @inlinable
  final func enqueue(_ change: Change, isChange: Bool) {
    let queue = self.queue ?? FieldQueue()
    self.queue = queue
    queue.changes.append(change, isChange: isChange)
    DeliveryContext.current.enqueue(self)
  }

  /// Calls the observers.
  @inlinable
  final func deliver(_ change: Change, isChange: Bool) {
    guard let observers else { return }
    observers.forEachNode { node in
      guard isChange || node.kind == FieldObserver<Value>.everySet else { return }
      if !node.callback.hear(change) { observers.retire(node) }
    }
  }
}
