#if INSPECTOR
  public import FieldstoneDurable
  public import Foundation

  /// A change that was made, or tried, through the inspector's pages.
  public struct InspectorChange: Sendable, Hashable, Codable {
    /// When, by the wall clock.
    public var time: Date
    /// The name of the person, as far as it is known: that of the password's dialog, or of the header
    /// ``InspectorOptions/personHeader``; nil for a browser that was let in by the token.
    public var person: String?
    /// The change, such as `retry`.
    public var action: String
    /// The run, flow, key or watched object that it was made to.
    public var subject: String
    /// The run; nil where it concerns none, or many.
    public var run: RunID?
    /// Why it was not made; nil when it was.
    public var refusal: String?

    /// Makes a change.
    public init(
      time: Date, person: String?, action: String, subject: String, run: RunID? = nil,
      refusal: String? = nil
    ) {
      self.time = time
      self.person = person
      self.action = action
      self.subject = subject
      self.run = run
      self.refusal = refusal
    }

    /// The change as one line of JSON, for a log.
    public var line: String {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
  }
#endif
