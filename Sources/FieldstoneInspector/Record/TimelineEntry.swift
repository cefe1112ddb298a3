#if INSPECTOR
  import Foundation

  /// Something that happened in the process: a line of the timeline.
  struct TimelineEntry: Sendable, Hashable, Codable {
    /// The kind of object that it happened to.
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

    /// How it looks at first sight.
    enum Tone: String, Sendable, Hashable, Codable {
      case plain
      case busy
      case good
      case bad
      case stopped
    }

    /// The number in the record, from 1 on.
    var number = 0
    var time: Date
    var kind: Kind
    var tone = Tone.plain
    /// The name of the watched object, or of the flow.
    var source: String
    /// The identity that a filter follows: one call, one run, one object.
    var identity: String
    /// The event, on one line.
    var text: String
    /// More of it, such as a value or an error.
    var detail: String?

    /// An estimate of its bytes.
    var cost: Int {
      160 + source.utf8.count + identity.utf8.count + text.utf8.count + (detail?.utf8.count ?? 0)
    }

    /// The entry with texts of bounded length.
    var bounded: Self {
      var entry = self
      entry.source = source.shortened(to: 120)
      entry.identity = identity.shortened(to: 160)
      entry.text = text.shortened(to: 300)
      entry.detail = detail.map { $0.shortened(to: 2_000) }
      return entry
    }
  }

  extension String {
    /// Its beginning, when it has more bytes than that; O(length).
    func shortened(to length: Int) -> String {
      guard utf8.count > length else { return self }
      return String(decoding: utf8.prefix(length), as: UTF8.self) + "…"
    }
  }
#endif
