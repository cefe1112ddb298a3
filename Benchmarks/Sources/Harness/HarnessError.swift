/// What is wrong with a group.
public enum HarnessError: Error, Equatable, CustomStringConvertible {
  /// None of the group's cases has the name that it states as its floor.
  case noFloor(group: String, floor: String)
  /// Two of the group's cases have the same name.
  case repeatedCase(group: String, name: String)

  /// What is wrong, and what to change.
  public var description: String {
    switch self {
    case .noFloor(let group, let floor):
      "The group \(group) has no case named \"\(floor)\", its floor: add it or rename the floor."
    case .repeatedCase(let group, let name):
      "The group \(group) has two cases named \"\(name)\": rename one."
    }
  }
}
