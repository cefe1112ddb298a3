#if INSPECTOR
  import Foundation

  /// An event in the process: a line of the timeline.
  struct TimelineEntry: Sendable, Hashable, Codable {
    /// The kind of object that the event concerns.
    enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      case call
      case list
      case screen
      case form
      case field
      case operation
      case store
      case run
      case force
    }

    /// The severity of the entry's appearance.
    enum Tone: String, Sendable, Hashable, Codable {
      case plain
      case busy
      case good
      case bad
      case stopped
    }

    /// The number in the record, starting at 1.
    var number = 0
    var time: Date
    var kind: Kind
    var tone = Tone.plain
    /// The name of the watched object, or of the flow.
    var source: String
    /// The identity that a filter can follow: one call, one run, one object.
    var identity: String
    /// The event, on one line.
    var text: String
    /// Details, such as a value or an error.
    var detail: String?

    /// The maximum length of a detail, in bytes.
    static let longestDetail = 2_000

    /// An estimate of its size in bytes.
    var cost: Int {
      160 + source.utf8.count + identity.utf8.count + text.utf8.count + (detail?.utf8.count ?? 0)
    }

    /// The entry with bounded texts.
    var bounded: Self {
      var entry = self
      entry.source = source.shortened(to: 120)
      entry.identity = identity.shortened(to: 160)
      entry.text = text.shortened(to: 300)
      entry.detail = detail.map { $0.shortened(to: Self.longestDetail) }
      return entry
    }
  }

  extension String {
    /// The beginning of the text if it exceeds a number of bytes; O(length).
    func shortened(to length: Int) -> String {
      guard utf8.count > length else { return self }
      return String(decoding: utf8.prefix(length), as: UTF8.self) + "…"
    }
  }
#endif
