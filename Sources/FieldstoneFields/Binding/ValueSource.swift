/// Anything that fields can be bound to as their source: a field, or any class, such as a text
/// field. (Seed: MagneticFields' `Observable`.)
///
/// It tells its observers of each change, and nothing else is asked of it.
///
/// ```swift
/// final class SearchBox: ValueSource {
///   let valueObservers = ValueObservers<String>()
///   var value: String? { didSet { valueObservers.notify(value) } }
/// }
/// searchBox --> query
/// ```
public protocol ValueSource<Value>: AnyObject {
  /// What the values are.
  associatedtype Value: Equatable & Sendable

  /// The value as it is now.
  var value: Value? { get }

  /// The observers of changes; the source notifies them.
  var valueObservers: ValueObservers<Value> { get }
}

extension ValueSource {
  /// Calls a closure with the value, now and with each change, as long as the owner lives.
  ///
  /// Any number of closures can have the same owner. It is held weakly, so the closure should use
  /// the one that it is handed, and not capture it.
  ///
  /// - Parameters:
  ///   - owner: the object that the closure belongs to.
  ///   - body: called at once and for each change, where the source lives.
  public func observe<Owner: AnyObject>(
    owner: Owner, _ body: @escaping (_ owner: Owner, _ value: Value?) -> Void
  ) {
    valueObservers.observe(owner: owner, now: value, body)
  }

  /// Ends all observations of an owner, and the binding to it where it is a target.
  ///
  /// O(n) in the number of observers.
  public func removeObserver(_ owner: AnyObject) {
    valueObservers.remove(owner)
  }

  /// Ends all observations and all bindings that have this source.
  public func removeAllObservers() {
    valueObservers.removeAll()
  }
}

extension ReadableField: ValueSource {
  /// The observers of changes, for code over any ``ValueSource``.
  public final var valueObservers: ValueObservers<Value> { FieldValueObservers(self) }
}

/// Anything that can be bound as a target: a field, or any class, such as a label. (Seed:
/// MagneticFields' `Observer`.)
public protocol ValueObserver<Value>: AnyObject {
  /// What the values are.
  associatedtype Value: Equatable & Sendable

  /// Takes a value of a source it is bound to: at once when it is bound, then with each change.
  func receive(_ value: Value?)
}

extension Field: ValueObserver {
  /// Takes a value of a source that is no field; one that it got in the same delivery is an echo.
  public final func receive(_ value: Value?) {
    if isEcho(value, in: .current) { return }
    set(value, origin: .binding)
  }
}
