/// Cases that are measured side by side, in one process and in turns.
public struct Group: Sendable {
  /// The group's name, as the filter and the JSON lines give it.
  public let name: String
  /// The name of the case that the others are compared with.
  let floor: String
  /// What the figures count.
  let unit: Unit
  /// The cases, the floor among them.
  let cases: [Case]

  /// Makes a group.
  ///
  /// - Parameters:
  ///   - name: The group's name.
  ///   - floor: The name of that of its cases that the others are compared with.
  ///   - unit: What the figures count.
  ///   - cases: The cases, the floor among them.
  public init(
    _ name: String, floor: String, unit: Unit = .nanoseconds,
    @ListBuilder<Case> _ cases: () -> [Case]
  ) {
    self.name = name
    self.floor = floor
    self.unit = unit
    self.cases = cases()
  }
}
