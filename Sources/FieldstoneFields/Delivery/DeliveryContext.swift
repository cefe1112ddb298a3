import FieldstoneCore
import Foundation

/// The deliveries of one thread: what is under way, what waits, and what a batch has changed.
///
/// A delivery is synchronous and never suspends, so all that it reaches is on its thread. That is
/// how the order holds across fields that know nothing of each other.
@usableFromInline
final class DeliveryContext {
  /// How often one field may be set within one delivery.
  static var mostSets: UInt16 { 100 }

  /// From how many on a field's sets are looked at more closely.
  @inlinable static var suspiciousSets: UInt16 { 98 }

  /// The number of the delivery that is under way.
  @exclusivity(unchecked) @usableFromInline var number: UInt32

  /// Whether a delivery is under way or something waits for one.
  @exclusivity(unchecked) @usableFromInline var isBusy = false

  /// Whether a batch is open, which takes down what changes.
  @exclusivity(unchecked) @usableFromInline var isRecording = false

  @exclusivity(unchecked) @usableFromInline var waiting = FieldRing()
  @exclusivity(unchecked) var invalid = FollowerHeap()

  /// Whether derived fields are out of date.
  @exclusivity(unchecked) @usableFromInline var hasInvalid = false

  /// Set by an observer whose owner is gone, for the delivery that called it.
  @exclusivity(unchecked) @usableFromInline var isOwnerGone = false
  @exclusivity(unchecked) var batches: [FieldBatch] = []

  /// Fields in the order in which they were set, once one of them is suspicious.
  @exclusivity(unchecked) private var trail: [AnyField] = []

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
  var hasMore: Bool { !waiting.isEmpty || hasInvalid }

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
    if trail.count < 10_000 { trail.append(field) }
    if field.setsInDelivery <= Self.mostSets { return true }
    UnsettledFields(field, trail: trail).report()
    trail = []
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
      guard let entry = waiting.popFirst() else { break }
      entry.field._withUnsafeGuaranteedRef { field in
        entry.deliverer._withUnsafeGuaranteedRef { $0.deliver(field, self) }
      }
      entry.field.release()
    }
    if !trail.isEmpty { trail = [] }
  }
}

extension DeliveryContext {
  /// Runs a body with the context of this thread, without retaining it: the thread does.
  @inlinable @inline(__always)
  static func withCurrent<Result>(_ body: (DeliveryContext) -> Result) -> Result {
    currentDeliveryContext()._withUnsafeGuaranteedRef(body)
  }

  /// The context of this thread.
  static var current: DeliveryContext {
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
