// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Where a value of a view is kept, as long as the view is there.
final class Location<Value> {
  var value: Value {
    didSet { changed?() }
  }
  var changed: (() -> Void)?
  init(_ value: Value) { self.value = value }
}

/// What a copy of a view knows its location by.
final class Slot<Value> {
  var location: Location<Value>
  init(_ value: Value) { location = Location(value) }
}

/// What the host connects before it asks a view for its body.
@MainActor
protocol Connectable {
  func connect(_ site: Site, _ name: String)
}

extension Slot {
  @MainActor func connect(_ site: Site, _ name: String) {
    location = site.graph.location(at: "\(site.path)#\(name)", initial: location)
  }
}

@propertyWrapper
public struct State<Value> {
  let slot: Slot<Value>

  public init(wrappedValue value: Value) { slot = Slot(value) }
  public init(initialValue value: Value) { slot = Slot(value) }

  public var wrappedValue: Value {
    get { slot.location.value }
    nonmutating set { slot.location.value = newValue }
  }

  public var projectedValue: Binding<Value> {
    let location = slot.location
    return Binding(read: { location.value }, write: { location.value = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

extension State: Connectable {
  func connect(_ site: Site, _ name: String) { slot.connect(site, name) }
}

/// Apple's is made from closures, too; ours, only by the stand-ins.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  let read: () -> Value
  let write: (Value) -> Void

  init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
    self.read = read
    self.write = write
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  public var projectedValue: Binding<Value> { self }

  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    Binding<Subject>(
      read: { wrappedValue[keyPath: keyPath] },
      write: {
        var value = wrappedValue
        value[keyPath: keyPath] = $0
        wrappedValue = value
      })
  }
}

@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
  public var wrappedValue: Value

  public init(wrappedValue: Value) where Value: AnyObject, Value: Observable {
    self.wrappedValue = wrappedValue
  }

  public init(_ wrappedValue: Value) where Value: AnyObject, Value: Observable {
    self.wrappedValue = wrappedValue
  }

  public var projectedValue: Bindable<Value> { self }
}

extension Bindable where Value: AnyObject {
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    let object = wrappedValue
    return Binding(
      read: { object[keyPath: keyPath] }, write: { object[keyPath: keyPath] = $0 })
  }
}
