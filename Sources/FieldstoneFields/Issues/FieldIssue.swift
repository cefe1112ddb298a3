import FieldstoneCore
public import Foundation

/// An issue with a value, as data: its text is made when it is displayed.
///
/// A catalogue in any language can make a text of the code and the parameters.
public struct FieldIssue: Error, Sendable, Hashable, Codable {
  /// The severity of an issue.
  public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
    /// The value can't be accepted.
    case error
    /// The value can be accepted, but should be checked again.
    case warning
  }

  /// The part that found the issue.
  public enum Source: String, Sendable, Hashable, Codable, CaseIterable {
    /// A rule of the field or the form.
    case rule
    /// An import, a transformer or a decoder.
    case importing
    /// A server that was sent the value.
    case server
    /// Code of the application.
    case code
  }

  /// The kind of the issue, as a short stable name such as `malformed`.
  public var code: String

  /// The values for the text, by name.
  public var parameters: [String: String]

  /// The keys that lead to the value, outermost first; empty for the field itself.
  public var path: [String]

  /// The severity of the issue.
  public var severity: Severity

  /// The part that found the issue.
  public var source: Source

  /// The alternatives that all failed, one of which would be enough; usually empty.
  public var alternatives: [FieldIssue]

  /// Makes an issue.
  public init(
    code: String, parameters: [String: String] = [:], path: [String] = [],
    severity: Severity = .error, source: Source = .code, alternatives: [FieldIssue] = []
  ) {
    self.code = code
    self.parameters = parameters
    self.path = path
    self.severity = severity
    self.source = source
    self.alternatives = alternatives
  }

  /// Makes an issue with its own message.
  ///
  /// - Parameters:
  ///   - message: the text after the field's name: "is taken already". A catalogue translates it if
  ///     it has the message among its phrases.
  ///   - code: a short stable name of the problem.
  ///   - source: the part that found the issue.
  public init(_ message: String, code: String = "invalid", source: Source = .code) {
    self.init(code: code, parameters: [Self.messageKey: message], source: source)
  }

  /// Reads an issue; everything except the code may be absent.
  ///
  /// - Throws: when there is no code, or a part has another type.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    code = try values.decode(String.self, forKey: .code)
    parameters = try values.decodeIfPresent([String: String].self, forKey: .parameters) ?? [:]
    path = try values.decodeIfPresent([String].self, forKey: .path) ?? []
    severity = try values.decodeIfPresent(Severity.self, forKey: .severity) ?? .error
    source = try values.decodeIfPresent(Source.self, forKey: .source) ?? .code
    alternatives = try values.decodeIfPresent([FieldIssue].self, forKey: .alternatives) ?? []
  }
}

extension FieldIssue {
  /// The parameter that holds the issue's own message.
  static var messageKey: String { "message" }

  /// The issue's own message, used instead of the catalogue's phrase, if there is one.
  public var message: String? { parameters[Self.messageKey] }

  /// Whether the issue makes the value unacceptable.
  public var isError: Bool { severity == .error }
}

extension FieldIssue: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text, after the keys that lead to the value: "tags.2 must be at least 3".
  ///
  /// It is in the language of the current catalogue. A screen uses the label of the field instead,
  /// with ``FieldMessages/sentence(for:name:)``.
  public var description: String {
    FieldMessages.current.sentence(for: self, name: path.joined(separator: "."))
  }

  /// The text with the code and the parameters in parentheses; in a printed array, too.
  public var debugDescription: String {
    let others = parameters.keysInOrder.filter { $0 != Self.messageKey }
      .map { "\($0): \(parameters[$0] ?? "")" }
    let parts = [code] + others + ["\(severity)", "\(source)"]
    return "\(description) (\(parts.joined(separator: ", ")))"
  }
}

extension FieldIssue: LocalizedError {
  /// The text, for `localizedDescription` of a thrown issue.
  public var errorDescription: String? { description }
}

extension FieldIssue {
  /// The first three issues in parentheses, for an error's message; empty if there are none.
  package static func list(_ issues: [FieldIssue]) -> String {
    guard !issues.isEmpty else { return "" }
    var words = issues.prefix(3).map(\.description)
    if issues.count > 3 { words.append("and \(issues.count - 3) more") }
    return " (\(words.joined(separator: "; ")))"
  }
}

extension FieldIssue {
  /// The same issue with an outer key added to its path.
  package func inside(_ key: String) -> FieldIssue {
    var issue = self
    issue.path.insert(key, at: 0)
    return issue
  }

  /// The message of any error, for the parameter `reason`.
  package static func reason(_ error: any Error) -> String {
    (error as? any DescribedError)?.message ?? "\(error)"
  }

  /// The parameters with texts to type, which are the same in every language.
  package static var typedKeys: (fraction: String, thousands: String) { ("fraction", "thousands") }
}
