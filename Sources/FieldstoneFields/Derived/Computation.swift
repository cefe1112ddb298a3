/// How a derived field is computed, whatever the number of its sources.
///
/// Classes and not a closure: a closure over a parameter pack crashes the compiler (Swift 6.3).
class Computation<Value: Equatable & Sendable> {
  /// The value from the sources as they are.
  func callAsFunction() -> Value? { nil }
}

extension DeliveryContext {
  /// Releases what a derived field is made from.
  ///
  /// A list and not recursion: it may be the last to hold another derived field, that one the next,
  /// and chains may be longer than the stack is deep.
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
