import FieldstoneCore
import Foundation

/// The deliveries of one thread: what is under way, what waits, and what a batch has changed.
///
/// A delivery is synchronous and never suspends, so all that it reaches is on its thread. That is
/// how the order holds across fields that know nothing of each other.
@usableFromInline
final class DeliveryContext {
  /// How often one field may be set within one delivery.
  @inlinable static var mostSets: UInt16 { 100 }

  /// The number of the delivery that is under way.
  @exclusivity(unchecked) @usableFromInline var number: UInt32 = 0

  /// Whether a delivery is under way or something waits for one.
  @exclusivity(unchecked) @usableFromInline var isBusy = false

  /// Whether a batch is open, which takes down what changes.
  @exclusivity(unchecked) @usableFromInline var isRecording = false

  @exclusivity(unchecked) private var waiting = FIFO<AnyField>()
  @exclusivity(unchecked) var invalid = FollowerHeap()
  @exclusivity(unchecked) var batches: [FieldBatch] = []

  /// Fields in the order in which they were set, once one of them is suspicious.
  @exclusivity(unchecked) private var trail: [AnyField] = []

  private init() {}

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

  @usableFromInline
  var hasMore: Bool { !waiting.isEmpty || !invalid.isEmpty }

  @usableFromInline
  func enqueue(_ field: AnyField) {
    waiting.append(field)
  }

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
  @usableFromInline
  func mayDeliver(_ field: AnyField) -> Bool {
    if !isBusy { return true }
    if field.setsInDelivery > Self.mostSets { return false }
    field.setsInDelivery += 1
    // Some rounds before the end are taken down: they are the path that is reported.
    if field.setsInDelivery > Self.mostSets - 3, trail.count < 10_000 { trail.append(field) }
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
      updateFollowers(upTo: .max)
      guard let field = waiting.popFirst() else { break }
      field.deliverNext()
    }
    trail = []
  }
}

extension DeliveryContext {
  /// The context of this thread.
  @usableFromInline
  static var current: DeliveryContext {
    guard let pointer = pthread_getspecific(key) else { return makeCurrent() }
    return Unmanaged<DeliveryContext>.fromOpaque(pointer).takeUnretainedValue()
  }

  @inline(never)
  private static func makeCurrent() -> DeliveryContext {
    let context = DeliveryContext()
    pthread_setspecific(key, Unmanaged.passRetained(context).toOpaque())
    return context
  }

  /// The slot for the context in each thread; a thread that ends releases its own.
  private static let key: pthread_key_t = {
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
