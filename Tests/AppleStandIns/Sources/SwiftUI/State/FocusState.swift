// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Where the focus is, among the views that were named to it.
final class FocusLocation {
  let none: AnyHashable
  var value: AnyHashable {
    didSet { if value != oldValue { changed?() } }
  }
  var changed: (() -> Void)?

  init(none: AnyHashable) {
    self.none = none
    value = none
  }
}

final class FocusSlot {
  var location: FocusLocation
  init(none: AnyHashable) { location = FocusLocation(none: none) }
}

@propertyWrapper
public struct FocusState<Value: Hashable> {
  let slot: FocusSlot

  public init() where Value == Bool { slot = FocusSlot(none: AnyHashable(false)) }

  public init<T: Hashable>() where Value == T? {
    slot = FocusSlot(none: AnyHashable(T?.none))
  }

  public var wrappedValue: Value {
    get { projectedValue.wrappedValue }
    nonmutating set { projectedValue.wrappedValue = newValue }
  }

  public var projectedValue: Binding { Binding(location: slot.location) }

  @propertyWrapper
  public struct Binding {
    let location: FocusLocation

    public var wrappedValue: Value {
      get { location.value.base as! Value }
      nonmutating set { location.value = AnyHashable(newValue) }
    }

    public var projectedValue: Binding { self }
  }
}

@propertyWrapper
public struct AccessibilityFocusState<Value: Hashable> {
  let slot: FocusSlot

  public init() where Value == Bool { slot = FocusSlot(none: AnyHashable(false)) }

  public init<T: Hashable>() where Value == T? {
    slot = FocusSlot(none: AnyHashable(T?.none))
  }

  public var wrappedValue: Value {
    get { projectedValue.wrappedValue }
    nonmutating set { projectedValue.wrappedValue = newValue }
  }

  public var projectedValue: Binding { Binding(location: slot.location) }

  @propertyWrapper
  public struct Binding {
    let location: FocusLocation

    public var wrappedValue: Value {
      get { location.value.base as! Value }
      nonmutating set { location.value = AnyHashable(newValue) }
    }

    public var projectedValue: Binding { self }
  }
}

/// That a view is the one that a value of a focus stands for.
@MainActor
struct FocusLink {
  let location: FocusLocation
  let value: AnyHashable

  var isFocused: Bool { location.value == value }
}

extension View {
  nonisolated public func focused<Value: Hashable>(
    _ binding: FocusState<Value>.Binding, equals value: Value
  ) -> some View {
    altered(by: (binding, value)) { site, content, given in
      let (binding, value) = given
      let nodes = content._nodes(site)
      let all = nodes.flatMap(\.all)
      let node = all.first(where: \.canBeFocused) ?? all.first
      node?.focus = FocusLink(location: binding.location, value: AnyHashable(value))
      return nodes
    }
  }

  nonisolated public func accessibilityFocused<Value: Hashable>(
    _ binding: AccessibilityFocusState<Value>.Binding, equals value: Value
  ) -> some View {
    altered(by: (binding, value)) { site, content, given in
      let (binding, value) = given
      let nodes = content._nodes(site)
      nodes.first?.spokenFocus = FocusLink(location: binding.location, value: AnyHashable(value))
      return nodes
    }
  }
}

extension FocusState: Connectable {
  func connect(_ site: Site, _ name: String) {
    slot.location = site.graph.focus(at: "\(site.path)#\(name)", initial: slot.location)
  }
}

extension AccessibilityFocusState: Connectable {
  func connect(_ site: Site, _ name: String) {
    slot.location = site.graph.spokenFocus(at: "\(site.path)#\(name)", initial: slot.location)
  }
}
