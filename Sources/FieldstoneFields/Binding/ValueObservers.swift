import FieldstoneCore

/// Those who hear a ``ValueSource`` that is not a field.
public final class ValueObservers<Value: Equatable & Sendable> {
  /// Hears a value; false when its target is gone.
  struct Listener {
    let owner: ObjectIdentifier?
    let hear: (Value?) -> Bool
  }

  private let listeners = Multicast<Listener>()

  /// Makes a list without observers.
  public init() {}

  /// How many there are; those that have died count until they are notified next.
  public var count: Int { listeners.count }

  /// Tells all observers of a value, in the order in which they were bound.
  public func notify(_ value: Value?) {
    listeners.forEachNode { node in
      if !node.callback.hear(value) { listeners.retire(node) }
    }
  }

  func add(owner: ObjectIdentifier?, _ hear: @escaping (Value?) -> Bool) {
    listeners.addForGood(Listener(owner: owner, hear: hear), kind: 0)
  }

  func bind(to target: Field<Value>) {
    add(owner: ObjectIdentifier(target)) { [weak target] value in
      guard let target else { return false }
      target.receive(value)
      return true
    }
  }

  func remove(_ owner: AnyObject) {
    let identifier = ObjectIdentifier(owner)
    listeners.removeNodes { $0.callback.owner == identifier }
  }

  func removeAll() {
    listeners.removeAll()
  }
}
