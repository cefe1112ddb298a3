/// Any class that fields can be bound to as their source, such as a text field.
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

  /// Who hears of changes; the source notifies them.
  var valueObservers: ValueObservers<Value> { get }
}

/// Any class that a field can be bound to as its target, such as a label.
public protocol ValueObserver<Value>: AnyObject {
  /// What the values are.
  associatedtype Value: Equatable & Sendable

  /// Takes a value of a source it is bound to: at once when it is bound, then with each change.
  func receive(_ value: Value?)
}
