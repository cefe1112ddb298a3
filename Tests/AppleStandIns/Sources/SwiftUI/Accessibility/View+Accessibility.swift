// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct AccessibilityTraits: SetAlgebra, Sendable, Hashable {
  var names: Set<String> = []

  public init() {}
  init(_ name: String) { names = [name] }

  public static let isButton = AccessibilityTraits("isButton")
  public static let isHeader = AccessibilityTraits("isHeader")
  public static let isStaticText = AccessibilityTraits("isStaticText")
  public static let updatesFrequently = AccessibilityTraits("updatesFrequently")

  public typealias Element = AccessibilityTraits
  public typealias ArrayLiteralElement = AccessibilityTraits

  public func contains(_ member: Self) -> Bool { names.isSuperset(of: member.names) }
  public func union(_ other: Self) -> Self { with { $0.formUnion(other.names) } }
  public func intersection(_ other: Self) -> Self { with { $0.formIntersection(other.names) } }
  public func symmetricDifference(_ other: Self) -> Self {
    with { $0.formSymmetricDifference(other.names) }
  }
  public mutating func formUnion(_ other: Self) { self = union(other) }
  public mutating func formIntersection(_ other: Self) { self = intersection(other) }
  public mutating func formSymmetricDifference(_ other: Self) { self = symmetricDifference(other) }
  public mutating func insert(
    _ newMember: Self
  ) -> (inserted: Bool, memberAfterInsert: Self) {
    defer { formUnion(newMember) }
    return (!contains(newMember), newMember)
  }
  public mutating func remove(_ member: Self) -> Self? {
    guard contains(member) else { return nil }
    names.subtract(member.names)
    return member
  }
  public mutating func update(with newMember: Self) -> Self? {
    defer { formUnion(newMember) }
    return contains(newMember) ? newMember : nil
  }

  private func with(_ change: (inout Set<String>) -> Void) -> Self {
    var traits = self
    change(&traits.names)
    return traits
  }
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
  let name: String
  public static let ignore = AccessibilityChildBehavior(name: "ignore")
  public static let contain = AccessibilityChildBehavior(name: "contain")
  public static let combine = AccessibilityChildBehavior(name: "combine")
}

extension View {
  nonisolated public func accessibilityLabel(_ label: Text) -> some View {
    noted(label) { $0.accessibilityLabel = $1.content }
  }

  nonisolated public func accessibilityValue(_ value: Text) -> some View {
    noted(value) { $0.accessibilityValue = $1.content }
  }

  nonisolated public func accessibilityHint(_ hint: Text) -> some View {
    noted(hint) { $0.accessibilityHint = $1.content }
  }

  nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View {
    noted(hidden) { $0.isAccessibilityHidden = $1 }
  }

  nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
    noted(traits) { $0.traits.formUnion($1) }
  }

  nonisolated public func accessibilityElement(
    children: AccessibilityChildBehavior = .ignore
  ) -> some View {
    noted(children) { $0.accessibilityChildren = $1 }
  }
}
