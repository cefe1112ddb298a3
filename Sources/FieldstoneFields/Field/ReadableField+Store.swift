public import FieldstoneCore

extension ReadableField {
  /// Stores a value and delivers it, at once or from the queue.
  ///
  /// - Returns: whether the caller's retain was passed on to the queue.
  @inlinable @discardableResult
  final func store(
    _ newValue: Value?, origin: ChangeOrigin, wave: FieldWave, stamp: Double,
    in context: DeliveryContext, isRetained: Bool = false
  ) -> Bool {
    let isRecording = context.isRecording
    if isRecording { context.record(self, origin: origin) }
    let old = storage
    let isPlain = flags.isSubset(of: [.isKnown])
    let isChange = !isSame(old, newValue) || !flags.contains(.isKnown)
    if isPlain {
      storage = newValue
      flags.insert(.isKnown)
    } else {
      storeTheLongWay(newValue, isChange: isChange)
    }
    revisionCount &+= 1
    updateStamp = stamp
    if isChange { changeStamp = stamp }
    if ownedDetails != nil { notifyAttachment(isChange: isChange, in: context) }
    if context.isBusy { context.mark(self) }
    if isRecording || (observers == nil && isPlain) { return false }
    guard isChange || flags.contains(.hasEverySet) else { return false }
    let change = Change(
      old: old, new: newValue, origin: origin, revision: revisionCount, wave: wave)
    if context.isBusy {
      if !context.mayDeliver(self) { return false }
      enqueue(change, isChange: isChange, in: context, isRetained: isRetained)
      return isRetained
    }
    context.begin()
    // At the beginning of a delivery no field was set, so that `mark(_:)` is not needed.
    lastDelivery = context.number
    setsInDelivery = 1
    context.delivering = .passUnretained(self)
    // Derived fields come before observers: a field with followers is queued, and delivered next.
    if isPlain {
      deliver(change, isChange: isChange, in: context)
    } else {
      enqueue(change, isChange: isChange, in: context)
    }
    context.end()
    return false
  }

  /// Stores a value in a field with observers of its state, a tracker, followers or items.
  @usableFromInline
  final func storeTheLongWay(_ newValue: Value?, isChange: Bool) {
    let hadState = flags.contains(.isLoading) || flags.contains(.hasFailed)
    let tracker = flags.contains(.isTracked) ? details?.tracker : nil
    let isNews = hadState || !flags.contains(.isKnown)
    tracker?.willChange()
    let old = storage
    storage = newValue
    if flags.contains(.hasItems) { valueWasReplaced(old) }
    flags.insert(.isKnown)
    flags.remove(.isLoading)
    flags.remove(.hasFailed)
    details?.error = nil
    tracker?.didChange()
    if isChange { invalidateFollowers() }
    if isNews { queuePhase() }
  }

  /// Whether a set would reach no observer, delivery or batch.
  final var isUnheard: Bool {
    let context = DeliveryContext.current
    return observers == nil && flags.isSubset(of: [.isKnown, .hasItems]) && !context.isBusy
      && !context.isRecording
  }

  /// Updates the stamps of an unheard field after an edit in place.
  final func noteUnheardEdit(isChange: Bool) {
    flags.insert(.isKnown)
    revisionCount &+= 1
    updateStamp = currentStamp
    if isChange { changeStamp = updateStamp }
    notifyAttachment(isChange: isChange, in: .current)
  }

  @usableFromInline
  final func notifyAttachment(isChange: Bool, in context: DeliveryContext) {
    details?.attachment?.valueWasSet(of: self, isChange: isChange, in: context)
    // Otherwise the change of the value is queued next, and all are delivered together.
    if observers == nil || !(isChange || flags.contains(.hasEverySet)) { context.deliverIfIdle() }
  }

  /// Queues the phase for its observers, in the order of the other changes.
  ///
  /// Within a batch it does nothing: the end of the batch compares the phases.
  final func queuePhase() {
    let context = DeliveryContext.current
    guard let details, let observers = details.phaseObservers else { return }
    if context.isRecording { return details.phaseChanges &+= 1 }
    if context.isBusy {
      context.mark(self)
      if !context.mayDeliver(self) { return }
    }
    observers.waiting.append(currentPhase)
    context.queue(self, for: observers)
  }

  @inlinable @inline(__always)
  final func enqueue(
    _ change: Change, isChange: Bool, in context: DeliveryContext, isRetained: Bool = false
  ) {
    let deliverer: Unmanaged<FieldDeliverer>
    if let made = self.deliverer {
      deliverer = made
    } else {
      deliverer = .passRetained(FieldQueue<Value>())
      self.deliverer = deliverer
    }
    deliverer._withUnsafeGuaranteedRef {
      // Made by a field of this type, here.
      unsafeDowncast($0, to: FieldQueue<Value>.self).changes.append(change, isChange: isChange)
    }
    let field = Unmanaged<AnyField>.passUnretained(self)
    context.waiting.append(isRetained ? field : field.retain(), deliverer)
  }

  /// Whether changes are queued.
  @usableFromInline
  final var hasWaitingChanges: Bool {
    guard let deliverer else { return false }
    return deliverer._withUnsafeGuaranteedRef {
      !unsafeDowncast($0, to: FieldQueue<Value>.self).changes.isEmpty
    }
  }

  /// Calls the observers.
  ///
  /// Inlined, as `enqueue` is, so that a change is built where it is passed on.
  @inlinable @inline(__always)
  final func deliver(_ change: Change, isChange: Bool, in context: DeliveryContext) {
    guard let observers else { return }
    if context.hasLoops, isChange { context.noteDelivery(of: self, change.revision) }
    observers._withUnsafeGuaranteedRef { observers in
      observers.forEachNode { node in
        if context.hasLoops, context.isOvertaken(self, change.revision) { return }
        hand(change, isChange: isChange, to: node, of: observers, in: context)
      }
    }
  }

  /// Calls one observer.
  @inlinable @inline(__always)
  final func hand(
    _ change: Change, isChange: Bool, to node: ObserverNode<FieldObserver<Value>>,
    of observers: Multicast<FieldObserver<Value>>, in context: DeliveryContext
  ) {
    // Not by a closure, which would have to fetch the context again.
    if node.kind == FieldObserver<Value>.binding {
      guard isChange, let target = node.callback.owner else { return }
      if !relay(change, to: target, over: node, in: context) { observers.retire(node) }
      return
    }
    guard isChange || node.kind & FieldObserver<Value>.everySet != 0 else { return }
    node.callback.hear(change)
    if context.isOwnerGone {
      context.isOwnerGone = false
      observers.retire(node)
    }
  }
}
