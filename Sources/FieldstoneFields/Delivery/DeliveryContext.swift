import FieldstoneCore
import Foundation

/// The deliveries of one thread: what is under way, what waits, and what a batch has changed.
///
/// A delivery is synchronous and never suspends, so all that it reaches is on its thread. That is
/// how the order holds across fields that know nothing of each other. It is no `DeliveryLine`: that one
/// is for many threads, under a lock, and this holds fields by hand; benchmark `set-1` is the reason.
@usableFromInline
package final class DeliveryContext {
  /// The limit of sets of one field within one delivery.
  static var mostSets: UInt16 { 100 }

  /// From how many on a field's sets are looked at more closely.
  @inlinable static var suspiciousSets: UInt16 { 98 }

  /// The number of the delivery that is under way.
  @exclusivity(unchecked) @usableFromInline package var number: UInt32

  /// Whether a delivery is under way or something waits for one.
  @exclusivity(unchecked) @usableFromInline package var isBusy = false

  /// Whether a batch is open, which takes down what changes.
  @exclusivity(unchecked) @usableFromInline package var isRecording = false

  @exclusivity(unchecked) @usableFromInline var waiting = FieldRing()
  @exclusivity(unchecked) var invalid = FollowerHeap()

  /// Whether derived fields are out of date.
  @exclusivity(unchecked) @usableFromInline var hasInvalid = false

  /// Set by an observer whose owner is gone, for the delivery that called it.
  @exclusivity(unchecked) @usableFromInline var isOwnerGone = false
  @exclusivity(unchecked) var batches: [FieldBatch] = []

  /// The sources of deallocated derived fields, and whether they are being released.
  @exclusivity(unchecked) var ended: [Unmanaged<AnyObject>] = []
  @exclusivity(unchecked) var isReleasing = false

  /// The field whose observers are called.
  @exclusivity(unchecked) @usableFromInline var delivering: Unmanaged<AnyField>?

  /// Whether an observer has let fields be delivered inside of it since the delivery began.
  @exclusivity(unchecked) @usableFromInline var hasLoops = false

  /// How many such observers are under way, one inside the other.
  @exclusivity(unchecked) private var loopDepth = 0

  /// The latest revisions that were delivered since then.
  @exclusivity(unchecked) private var latestRevisions: [ObjectIdentifier: Int] = [:]

  /// The circles that set fields too often.
  @exclusivity(unchecked) private var circles = CircleFinder()

  /// How many contexts there have been.
  private static let count = Locked<UInt32>(0)

  private init() {
    let count = Self.count.withLock { count in
      defer { count &+= 1 }
      return count
    }
    // Far from the numbers of the other threads: a field that goes from one to another must not
    // take the first one's delivery for one of the second. (The golden ratio spreads them.)
    number = count &* 0x9E37_79B9
  }

  /// Begins a delivery where none is under way.
  @inlinable
  func begin() {
    number &+= 1
    isBusy = true
  }

  /// Ends the outermost delivery: everything that waits is delivered first.
  @inlinable
  func end() {
    if hasMore { deliverWaiting() }
    isBusy = false
  }

  @inlinable
  var hasMore: Bool { !waiting.isEmpty || hasInvalid || hasLoops }

  /// Takes down that a field was set in the delivery that is under way.
  @inlinable
  func mark(_ field: AnyField) {
    if field.lastDelivery == number { return }
    field.lastDelivery = number
    field.setsInDelivery = 0
  }

  /// Counts a set of a marked field that may be part of a circle, and reports one too many, once.
  ///
  /// - Returns: whether it may be delivered.
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
    // Some rounds before the end are taken down: they are the path that is reported.
    circles.note(field, setBy: delivering?.takeUnretainedValue())
    if field.setsInDelivery <= Self.mostSets { return true }
    circles.stop(field)
    return false
  }

  /// Runs a body as part of the delivery that is under way, or as one of its own.
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
    // What waits has happened before what the body does.
    deliverWaiting()
    isBusy = false
    defer {
      // Another number: what was set inside is no echo of what comes now.
      begin()
      delivering = outer
      loopDepth -= 1
    }
    return try body()
  }

  /// Takes down which change was delivered last.
  @usableFromInline
  func noteDelivery(of field: AnyField, _ revision: Int) {
    latestRevisions[ObjectIdentifier(field)] = revision
  }

  /// Whether observers have heard a newer change already, from inside one that heard this one.
  @usableFromInline
  func isOvertaken(_ field: AnyField, _ revision: Int) -> Bool {
    latestRevisions[ObjectIdentifier(field)].map { $0 > revision } ?? false
  }
}

extension DeliveryContext {
  /// Runs a body with the context of this thread, without retaining it: the thread does.
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
/// A function and not a static member: a caller in another module would have to fetch the type
/// first, with every set of a field.
@usableFromInline
func currentDeliveryContext() -> Unmanaged<DeliveryContext> {
  guard let pointer = pthread_getspecific(DeliveryContext.key) else {
    return DeliveryContext.makeCurrent()
  }
  return Unmanaged.fromOpaque(pointer)
}
