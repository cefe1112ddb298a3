/// What is wrong with a value, as data: the text is made when it is shown.
///
/// The code and the parameters say what is wrong in a way that a catalogue can put into words of
/// any language.
public struct FieldIssue: Error, Sendable, Hashable, Codable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
    /// The value can't be accepted.
    case error
    /// The value can be accepted, but is worth a second look.
    case warning
  }

  /// Who found it.
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

  /// What is wrong, as a short stable name such as `malformed`.
  public var code: String

  /// What the text needs to know besides, by name.
  public var parameters: [String: String]

  /// The keys that lead to the value, outermost first; empty for the field itself.
  public var path: [String]

  /// How bad it is.
  public var severity: Severity

  /// Who found it.
  public var source: Source

  /// Makes an issue.
  public init(
    code: String, parameters: [String: String] = [:], path: [String] = [],
    severity: Severity = .error, source: Source = .code
  ) {
    self.code = code
    self.parameters = parameters
    self.path = path
    self.severity = severity
    self.source = source
  }
}
