/// A field that can't be set: its value is computed from other fields.
///
/// ```swift
/// let fullName = DerivedField(first, last) { first, last in "\(first ?? "") \(last ?? "")" }
/// ```
///
/// It is computed at most once for each batch and each change, after all of its sources, so that no
/// reader sees a mixture of old and new values. It keeps its sources alive; they hold it weakly.
public final class DerivedField<Value: Equatable & Sendable>: ReadableField<Value>, Follower {
  /// Retained by hand, so that a chain is not released in one recursion.
  private let compute: Unmanaged<Computation<Value>>
  let height: Int
  var isInvalid = false

  /// Makes a field from others.
  ///
  /// - Parameters:
  ///   - sources: its sources: fields and other derived fields.
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
      source.ensureDetails().followers.appendSweeping(WeakFollower(follower: self)) {
        $0.follower != nil
      }
      source.flags.insert(.hasFollowers)
    }
    isInvalid = true
    update()
  }

  deinit {
    DeliveryContext.current.release(.fromOpaque(compute.toOpaque()))
  }

  package override func bringUpToDate() {
    if isInvalid { DeliveryContext.current.updateFollowers(upTo: height) }
  }

  var followers: [WeakFollower] { details?.followers ?? [] }

  override func restore(_ snapshot: FieldSnapshot) {
    super.restore(snapshot)
    // Its sources may have changed before the transaction, and the snapshot was taken after that.
    DeliveryContext.current.invalidate([WeakFollower(follower: self)])
  }

  func update() {
    guard isInvalid else { return }
    isInvalid = false
    let context = DeliveryContext.current
    context.noteUpdate()
    let value = compute._withUnsafeGuaranteedRef { $0() }
    if isKnown, isSame(value, storage) { return }
    let stamp = currentStamp
    store(
      value, origin: .derivation, wave: wave(beginningAt: stamp), stamp: stamp,
      in: context)
  }
}

/// The computation of a derived field, whatever the number of its sources.
///
/// Classes and not a closure: a closure over a parameter pack crashes the compiler (Swift 6.3).
class Computation<Value: Equatable & Sendable> {
  /// The value computed from the current sources.
  func callAsFunction() -> Value? { nil }
}

extension DeliveryContext {
  /// Releases the computation of a derived field.
  ///
  /// A list and not recursion: the computation may hold the last reference to another derived
  /// field, and so on, and chains may be longer than the stack is deep.
  func release(_ computation: Unmanaged<AnyObject>) {
    ended.append(computation)
    if isReleasing { return }
    isReleasing = true
    while let next = ended.popLast() { next.release() }
    isReleasing = false
  }
}

/// A computation from a number of fields.
final class PackComputation<Value: Equatable & Sendable, each Source: Equatable & Sendable>:
  Computation<Value>
{
  private let sources: (repeat ReadableField<each Source>)
  private let compute: (repeat Optional<each Source>) -> Value?

  init(
    _ sources: repeat ReadableField<each Source>,
    compute: @escaping (repeat Optional<each Source>) -> Value?
  ) {
    self.sources = (repeat each sources)
    self.compute = compute
  }

  override func callAsFunction() -> Value? {
    // Read into a pack first: the compiler does not take it as an argument (Swift 6.3).
    let sources = sources
    let values: (repeat Optional<each Source>) = (repeat (each sources).storage)
    return compute(repeat each values)
  }
}

// Mistakes compile up to an error message that names the remedy.
//
// Nothing can call these. A body that made a field would add 6 KB to every program: the code of a
// field of `Never`.
extension DerivedField {
  /// A derived value is one value that can be compared and sent.
  @available(
    *, unavailable,
    message: """
      The closure has to return one value that is Equatable and Sendable, or nil: return a struct \
      instead of a tuple, and observe the fields where nothing is to be computed.
      """
  )
  public convenience init<each Source, Wrong>(
    _ sources: repeat ReadableField<each Source>,
    compute: @escaping (repeat Optional<each Source>) -> Wrong
  ) where Value == Never {
    while true {}
  }

  /// The closure of several sources has a parameter for each of them.
  @available(
    *, unavailable,
    message: "The closure has one parameter; give it one for each source, in the same order."
  )
  public convenience init<First, Second, each Source, Wrong>(
    _ first: ReadableField<First>, _ second: ReadableField<Second>,
    _ sources: repeat ReadableField<each Source>, compute: @escaping (First?) -> Wrong
  ) where Value == Never {
    while true {}
  }

  /// The closure of one source has one parameter.
  @available(
    *, unavailable,
    message: "The closure has two parameters for one source; list a source for each parameter."
  )
  public convenience init<First, Wrong>(
    _ source: ReadableField<First>, compute: @escaping (First?, Any?) -> Wrong
  ) where Value == Never {
    while true {}
  }
}
