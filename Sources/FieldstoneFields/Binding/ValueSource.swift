import FieldstoneCore

/// A source that fields can be bound to: a field, or any class, such as a text field. (Seed:
/// MagneticFields' `Observable`.)
///
/// Its only duty is to notify its observers of each change.
///
/// ```swift
/// final class SearchBox: ValueSource {
///   let valueObservers = ValueObservers<String>()
///   var value: String? { didSet { valueObservers.notify(value) } }
/// }
/// searchBox --> query
/// ```
public protocol ValueSource<Value>: AnyObject {
  /// The type of the values.
  associatedtype Value: Equatable & Sendable

  /// The current value.
  var value: Value? { get }

  /// The observers of changes; the source notifies them.
  var valueObservers: ValueObservers<Value> { get }
}

extension ValueSource {
  /// Calls a closure with the value, now and with each change, as long as the owner lives.
  ///
  /// An owner can have any number of closures. It is held weakly, so the closure should use the
  /// owner that it is passed, and not capture it.
  ///
  /// - Parameters:
  ///   - owner: the object that the closure belongs to.
  ///   - body: called at once and for each change, where the source lives.
  public func observe<Owner: AnyObject>(
    owner: Owner, _ body: @escaping (_ owner: Owner, _ value: Value?) -> Void
  ) {
    valueObservers.observe(owner: owner, now: value, body)
  }

  /// Removes all observations of an owner, and the binding to it if it is a target.
  ///
  /// O(n) in the number of observers.
  public func removeObserver(_ owner: AnyObject) {
    valueObservers.remove(owner)
  }

  /// Removes all observations and all bindings of this source.
  public func removeAllObservers() {
    valueObservers.removeAll()
  }
}

extension ReadableField: ValueSource {
  /// The observers of changes, for code over any ``ValueSource``.
  public final var valueObservers: ValueObservers<Value> { FieldValueObservers(self) }
}

/// A target of bindings: a field, or any class, such as a label. (Seed: MagneticFields'
/// `Observer`.)
public protocol ValueObserver<Value>: AnyObject {
  /// The type of the values.
  associatedtype Value: Equatable & Sendable

  /// Receives the source's value when it is bound, and then with each change.
  func receive(_ value: Value?)
}

extension Field: ValueObserver {
  /// Takes a value of a source that is not a field; a repeated value in one delivery is an echo.
  public final func receive(_ value: Value?) {
    if isEcho(value, in: .current) { return }
    set(value, origin: .binding)
  }
}

/// The observers of a ``ValueSource``.
///
/// A class of your own makes a list and notifies it. A field returns a list that stands for its own
/// observers.
public class ValueObservers<Value: Equatable & Sendable> {
  /// An observer; `hear` returns false once its target is deallocated.
  private struct Listener {
    let owner: ObjectIdentifier?
    /// The number of the value that it knows from its first call: older ones are no news.
    let known: Int
    let hear: (Value?) -> Bool
  }

  private let listeners = Multicast<Listener>()

  /// The values to deliver, with their numbers: a listener may lead to the next one.
  private var values = DeliveryLine<(value: Value?, number: Int)>()
  private var lastNumber = 0

  /// Makes a list without observers.
  public init() {}

  /// The number of observers; those with a deallocated owner count until the next notification.
  package var count: Int { listeners.count }

  /// Notifies all observers of a value, in the order in which they were bound.
  ///
  /// A value of which an observer notifies them is delivered after this one. Within the delivery of a
  /// field it is delivered at once, so that the field recognises its echo.
  ///
  /// The list of a field does nothing: the field notifies them.
  public func notify(_ value: Value?) {
    lastNumber += 1
    if DeliveryContext.current.isBusy { return tell(value, lastNumber) }
    values.append((value, lastNumber))
    guard values.begin() else { return }
    while let next = values.next() { tell(next.value, next.number) }
  }

  private func tell(_ value: Value?, _ number: Int) {
    listeners.forEachNode { node in
      if node.callback.known < number, !node.callback.hear(value) { listeners.retire(node) }
    }
  }

  // Observers are added before their first call, which may lead to the next value.

  /// Calls a closure with a value, and with each change as long as the owner lives.
  func observe<Owner: AnyObject>(
    owner: Owner, now value: Value?, _ body: @escaping (Owner, Value?) -> Void
  ) {
    add(owner: ObjectIdentifier(owner)) { [weak owner] value in
      guard let owner else { return false }
      body(owner, value)
      return true
    }
    body(owner, value)
  }

  /// Calls a closure with a value, and with each change.
  func observe(now value: Value?, _ body: @escaping (Value?) -> Void) {
    add(owner: nil) { value in
      body(value)
      return true
    }
    body(value)
  }

  /// Passes a value to a target, and each change as long as it lives.
  func bind(to target: some ValueObserver<Value>, now value: Value?) {
    observe(owner: target, now: value) { $0.receive($1) }
  }

  func bindBack(to target: Field<Value>, now value: Value?) {
    add(owner: ObjectIdentifier(target)) { [weak target] value in
      guard let target else { return false }
      target.receive(value)
      return true
    }
    if !target.isKnown || !isSame(target.storage, value) { target.receive(value) }
  }

  func remove(_ owner: AnyObject) {
    let identifier = ObjectIdentifier(owner)
    listeners.removeNodes { $0.callback.owner == identifier }
  }

  func removeAll() {
    listeners.removeAll()
  }

  private func add(owner: ObjectIdentifier?, _ hear: @escaping (Value?) -> Bool) {
    listeners.addForGood(Listener(owner: owner, known: lastNumber, hear: hear), kind: 0)
  }
}

/// The observers of a field, for code that uses it as a ``ValueSource``.
final class FieldValueObservers<Value: Equatable & Sendable>: ValueObservers<Value> {
  private let field: ReadableField<Value>

  init(_ field: ReadableField<Value>) {
    self.field = field
  }

  override package var count: Int { field.observerCount }

  override func notify(_ value: Value?) {}

  override func observe<Owner: AnyObject>(
    owner: Owner, now value: Value?, _ body: @escaping (Owner, Value?) -> Void
  ) {
    field.observe(owner: owner) { body($0, $1.new) }
  }

  override func observe(now value: Value?, _ body: @escaping (Value?) -> Void) {
    field.observeForGood(body)
  }

  override func bind(to target: some ValueObserver<Value>, now value: Value?) {
    field.bind(to: target)
  }

  override func bindBack(to target: Field<Value>, now value: Value?) {
    field.bindBack(to: target)
  }

  override func remove(_ owner: AnyObject) {
    field.removeObserver(owner)
  }

  override func removeAll() {
    field.removeAllObservers()
  }
}
