/// A field whose value is computed from other fields, and that can't be set.
///
/// ```swift
/// let fullName = DerivedField(first, last) { first, last in "\(first ?? "") \(last ?? "")" }
/// ```
///
/// It is computed at most once for each batch and each change, after all that it is made from, so
/// that no reader ever sees a mixture of old and new. It keeps its sources alive; they hold it
/// weakly.
public final class DerivedField<Value: Equatable & Sendable>: ReadableField<Value>, Follower {
  /// Owned by hand, so that a chain is not released in one recursion.
  private let compute: Unmanaged<Computation<Value>>
  let height: Int
  var isInvalid = false

  /// Makes a field from others.
  ///
  /// - Parameters:
  ///   - sources: what it is made from: fields and other derived fields.
  ///   - compute: makes the value; it must depend on nothing else, and set nothing.
  public init<each Source>(
    _ sources: repeat ReadableField<each Source>,
    compute: @escaping (repeat Optional<each Source>) -> Value?
  ) {
    self.compute = .passRetained(PackComputation(repeat each sources, compute: compute))
    var height = 0
    for source in repeat each sources {
      height = max(height, (source as? any Follower)?.height ?? 0)
    }
    self.height = height + 1
    super.init()
    for source in repeat each sources {
      source.bringUpToDate()
      source.ensureDetails().followers.append(WeakFollower(follower: self))
      source.flags.insert(.hasFollowers)
    }
    isInvalid = true
    update()
  }

  deinit {
    DeliveryContext.current.release(.fromOpaque(compute.toOpaque()))
  }

  override func bringUpToDate() {
    if isInvalid { DeliveryContext.current.updateFollowers(upTo: height) }
  }

  var followers: [WeakFollower] { details?.followers ?? [] }

  func update() {
    guard isInvalid else { return }
    isInvalid = false
    let value = compute._withUnsafeGuaranteedRef { $0() }
    if isKnown, isSame(value, storage) { return }
    let stamp = currentStamp
    store(
      value, origin: .derivation, wave: wave(beginningAt: stamp), stamp: stamp,
      in: DeliveryContext.current)
  }
}
