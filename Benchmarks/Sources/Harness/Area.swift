/// The groups of one part of the library, chosen together by its name.
public struct Area: Sendable {
  /// The area's name.
  public let name: String
  /// The groups.
  public let groups: [Group]

  /// Makes an area.
  ///
  /// - Parameters:
  ///   - name: The area's name.
  ///   - groups: Its groups.
  public init(_ name: String, @ListBuilder<Group> _ groups: () -> [Group]) {
    self.name = name
    self.groups = groups()
  }

  /// The groups that a filter chooses: all where it is nil or names the area, otherwise those
  /// whose own name contains it.
  public func groups(matching filter: String?) -> [Group] {
    guard let filter, filter != name else { return groups }
    return groups.filter { $0.name.contains(filter) }
  }
}
