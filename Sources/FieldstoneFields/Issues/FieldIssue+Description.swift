import FieldstoneCore
public import Foundation

extension FieldIssue: CustomStringConvertible, CustomDebugStringConvertible {
  /// What the issue says, after the keys that lead to it: "tags.2 must be at least 3".
  ///
  /// In the language of the current catalogue. A screen says it with the label of the field, as
  /// ``FieldMessages/sentence(for:name:)`` does.
  public var description: String {
    FieldMessages.current.sentence(for: self, name: path.joined(separator: "."))
  }

  /// What the issue says and, in parentheses, what it is made of; so in a printed array, too.
  public var debugDescription: String {
    let others = parameters.keysInOrder.filter { $0 != Self.messageKey }
      .map { "\($0): \(parameters[$0] ?? "")" }
    let parts = [code] + others + ["\(severity)", "\(source)"]
    return "\(description) (\(parts.joined(separator: ", ")))"
  }
}

extension FieldIssue: LocalizedError {
  /// What the issue says, for `localizedDescription` where it is thrown.
  public var errorDescription: String? { description }
}

extension FieldIssue {
  /// The first three of many in parentheses, for the message of an error; nothing for none.
  static func list(_ issues: [FieldIssue]) -> String {
    guard !issues.isEmpty else { return "" }
    var words = issues.prefix(3).map(\.description)
    if issues.count > 3 { words.append("and \(issues.count - 3) more") }
    return " (\(words.joined(separator: "; ")))"
  }
}
