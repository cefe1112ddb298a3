#if INSPECTOR
  public import FieldstoneDurable
  public import Foundation

  /// A change that was made, or tried, through the inspector's pages.
  public struct InspectorChange: Sendable, Hashable, Encodable {
    /// The wall-clock time of the change.
    public var time: Date
    /// The name of the user, if known; nil for a browser that the token admitted.
    ///
    /// It is the name from the password prompt, or from the header
    /// ``InspectorOptions/personHeader``.
    public var person: String?
    /// The change, such as `retry`.
    public var action: String
    /// The run, flow, key or watched object that was changed.
    public var subject: String
    /// The run; nil if the change concerns none, or several.
    public var run: RunID?
    /// The reason for the refusal; nil if the change was made.
    public var refusal: String?

    init(
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
    package var line: String {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
  }
#endif
