import FieldstoneCore
import Foundation

/// The deliveries of one thread: the current one, the queued changes, and the open batches.
///
/// A delivery is synchronous and never suspends, so everything it reaches is on its thread. This
/// keeps the order across fields that know nothing of each other. It is not a `DeliveryLine`, which
/// serves many threads under a lock; this one retains fields by hand (see benchmark `set-1`).
@usableFromInline
package final class DeliveryContext {
  /// The limit of sets of one field within one delivery.
  static var mostSets: UInt16 { 100 }

  /// The number of sets of a field from which on each set is recorded.
  @inlinable static var suspiciousSets: UInt16 { 98 }

  /// The number of the current delivery.
  @exclusivity(unchecked) @usableFromInline package var number: UInt32

  /// Whether a delivery is under way or changes are queued.
  @exclusivity(unchecked) @usableFromInline package var isBusy = false

  /// Whether a batch is open, which records changes.
  @exclusivity(unchecked) @usableFromInline package var isRecording = false

  @exclusivity(unchecked) @usableFromInline var waiting = FieldRing()
  @exclusivity(unchecked) var invalid = FollowerHeap()

  /// Whether derived fields are out of date.
  @exclusivity(unchecked) @usableFromInline var hasInvalid = false

  /// Sources with many followers, all of which are out of date.
  @exclusivity(unchecked) var invalidatedSources: Set<ObjectIdentifier> = []

  /// Set by an observer whose owner is deallocated, for the delivery that called it.
  @exclusivity(unchecked) @usableFromInline var isOwnerGone = false
  @exclusivity(unchecked) var batches: [FieldBatch] = []

  /// Whether newcomers are being corrected after a rollback.
  @exclusivity(unchecked) var isTakingBack = false

  /// The sources of deallocated derived fields, and whether they are being released.
  @exclusivity(unchecked) var ended: [Unmanaged<AnyObject>] = []
  @exclusivity(unchecked) var isReleasing = false

  /// The field whose observers are being called.
  @exclusivity(unchecked) @usableFromInline var delivering: Unmanaged<AnyField>?

  /// Whether an observer has called `deliverInside` since the delivery began.
  @exclusivity(unchecked) @usableFromInline var hasLoops = false

  /// The number of such observers that are under way, nested.
  @exclusivity(unchecked) private var loopDepth = 0

  /// The latest revision of each field delivered since then.
  @exclusivity(unchecked) private var latestRevisions: [ObjectIdentifier: Int] = [:]

  /// Records the sets of fields that were set too often.
  @exclusivity(unchecked) private var circles = CircleFinder()

  /// The number of contexts made so far.
  private static let count = Locked<UInt32>(0)

  private init() {
    let count = Self.count.withLock { count in
      defer { count &+= 1 }
      return count
    }
    // Far from the numbers of other threads: a field that moves between threads must not mistake a
    // delivery of one for that of another. (The golden ratio spreads them.)
    number = count &* 0x9E37_79B9
  }

  /// Begins a delivery where none is under way.
  @inlinable
  func begin() {
    number &+= 1
    isBusy = true
  }

  /// Ends the outermost delivery, after all queued changes are delivered.
  @inlinable
  func end() {
    if hasMore { deliverWaiting() }
    isBusy = false
  }

  @inlinable
  var hasMore: Bool { !waiting.isEmpty || hasInvalid || hasLoops }

  /// Records that a field was set in the current delivery.
  @inlinable
  func mark(_ field: AnyField) {
    if field.lastDelivery == number { return }
    field.lastDelivery = number
    field.setsInDelivery = 0
  }

  /// Counts a set of a marked field; a field beyond the limit is reported once.
  ///
  /// - Returns: whether the set may be delivered.
  @inlinable
  func mayDeliver(_ field: AnyField) -> Bool {
    field.setsInDelivery &+= 1
    if field.setsInDelivery < Self.suspiciousSets { return true }
    return mayDeliverSuspicious(field)
  }

  @usableFromInline
  func mayDeliverSuspicious(_ field: AnyField) -> Bool {
    if field.setsInDelivery > Self.mostSets + 1 {
      field.setsInDelivery = Self.mostSets + 1
      return false
    }
    // The last rounds before the limit are recorded: they are the reported path.
    circles.note(field, setBy: delivering?.takeUnretainedValue())
    if field.setsInDelivery <= Self.mostSets { return true }
    circles.stop(field)
    return false
  }

  /// Queues a field for a deliverer that the field keeps, or that lives for ever.
  func queue(_ field: AnyField, for deliverer: FieldDeliverer) {
    waiting.append(.passRetained(field), .passUnretained(deliverer))
  }

  /// Delivers what is queued, unless the current delivery or the end of a batch will.
  func deliverIfIdle() {
    if !waiting.isEmpty { deliver {} }
  }

  /// Runs a body as part of the current delivery, or as a delivery of its own.
  func deliver(_ body: () -> Void) {
    let isOutermost = !isBusy && !isRecording
    if isOutermost { begin() }
    body()
    if isOutermost { end() }
  }

  @usableFromInline
  func deliverWaiting() {
    while true {
      // Derived fields first, so that no observer sees one that is out of date.
      if hasInvalid { updateFollowers(upTo: .max) }
      if let entry = waiting.popFirst() {
        delivering = entry.field
        entry.field._withUnsafeGuaranteedRef { field in
          entry.deliverer._withUnsafeGuaranteedRef { $0.deliver(field, self) }
        }
        delivering = nil
        entry.field.release()
      } else if loopDepth == 0, !circles.isEmpty {
        // The handler may set fields, too.
        let finder = circles
        circles = CircleFinder()
        finder.report()
      } else {
        break
      }
    }
    if hasLoops, loopDepth == 0 {
      hasLoops = false
      latestRevisions = [:]
    }
  }
}

// MARK: - Loops inside of observers

extension DeliveryContext {
  /// Runs a body inside an observer, as if no delivery were under way.
  func deliverInside<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard isBusy, !isRecording else { return try body() }
    let outer = delivering
    hasLoops = true
    loopDepth += 1
    // Queued changes happened before those of the body.
    deliverWaiting()
    isBusy = false
    defer {
      // A new number: a value that was set inside is no echo of a later one.
      begin()
      delivering = outer
      loopDepth -= 1
    }
    return try body()
  }

  /// Records the revision of a field that was delivered last.
  @usableFromInline
  func noteDelivery(of field: AnyField, _ revision: Int) {
    latestRevisions[ObjectIdentifier(field)] = revision
  }

  /// Whether observers have received a newer change, from inside an observer of this one.
  @usableFromInline
  func isOvertaken(_ field: AnyField, _ revision: Int) -> Bool {
    latestRevisions[ObjectIdentifier(field)].map { $0 > revision } ?? false
  }
}

extension DeliveryContext {
  /// Runs a body with the context of this thread, without a retain: the thread retains it.
  @inlinable @inline(__always)
  static func withCurrent<Result>(_ body: (DeliveryContext) -> Result) -> Result {
    currentDeliveryContext()._withUnsafeGuaranteedRef(body)
  }

  /// The context of this thread.
  package static var current: DeliveryContext {
    currentDeliveryContext().takeUnretainedValue()
  }

  @inline(never)
  fileprivate static func makeCurrent() -> Unmanaged<DeliveryContext> {
    let context = Unmanaged.passRetained(DeliveryContext())
    pthread_setspecific(key, context.toOpaque())
    return context
  }

  /// The slot for the context in each thread; a thread that ends releases its own.
  fileprivate static let key: pthread_key_t = {
    var key = pthread_key_t()
    #if canImport(Darwin)
      pthread_key_create(&key) { Unmanaged<DeliveryContext>.fromOpaque($0).release() }
    #else
      pthread_key_create(&key) { pointer in
        if let pointer { Unmanaged<DeliveryContext>.fromOpaque(pointer).release() }
      }
    #endif
    return key
  }()
}

/// The context of this thread.
///
/// A function and not a static member: a caller in another module would have to fetch the type's
/// metadata with every set of a field.
@usableFromInline
func currentDeliveryContext() -> Unmanaged<DeliveryContext> {
  guard let pointer = pthread_getspecific(DeliveryContext.key) else {
    return DeliveryContext.makeCurrent()
  }
  return Unmanaged.fromOpaque(pointer)
}
