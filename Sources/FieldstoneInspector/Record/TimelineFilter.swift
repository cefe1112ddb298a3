#if INSPECTOR
  import FieldstoneServing

  /// The filters of the timeline, as encoded in its address.
  struct TimelineFilter: Hashable {
    var kinds: Set<TimelineEntry.Kind> = []
    /// The one identity to follow.
    var identity: String?
    /// The one source to follow.
    var source: String?
    /// A part of the texts, case-insensitive.
    var text: String?
    /// Selects only entries with smaller numbers.
    var before: Int?

    init() {}

    /// Parses the filters of an address.
    ///
    /// - Throws: `InspectorRefusal` for an invalid kind or number; it leads to the timeline without
    ///   filters.
    init(_ values: FormValues) throws(InspectorRefusal) {
      do throws(InspectorRefusal) {
        try self.init(reading: values)
      } catch {
        throw error.leading(to: .timeline)
      }
    }

    private init(reading values: FormValues) throws(InspectorRefusal) {
      for name in values.all("kind") where !name.isEmpty {
        guard let kind = TimelineEntry.Kind(rawValue: name) else {
          throw InspectorRefusal(
            400, "“\(name.prefix(64))” is no kind of event; choose one of the filters.")
        }
        kinds.insert(kind)
      }
      identity = values["of"]
      source = values["from"]
      text = values["text"]
      if let number = values["before"] {
        guard let before = Int(number) else {
          throw InspectorRefusal(400, "“\(number.prefix(64))” is no number of an event.")
        }
        self.before = before
      }
    }

    /// The names and values of its address.
    var pairs: [(String, String)] {
      var pairs = TimelineEntry.Kind.allCases.filter(kinds.contains).map { ("kind", $0.rawValue) }
      if let identity { pairs.append(("of", identity)) }
      if let source { pairs.append(("from", source)) }
      if let text { pairs.append(("text", text)) }
      if let before { pairs.append(("before", "\(before)")) }
      return pairs
    }

    func takes(_ entry: TimelineEntry) -> Bool {
      if !kinds.isEmpty, !kinds.contains(entry.kind) { return false }
      if let identity, entry.identity != identity { return false }
      if let source, entry.source != source { return false }
      if let before, entry.number >= before { return false }
      guard let text = text?.lowercased() else { return true }
      return entry.text.lowercased().contains(text) || entry.source.lowercased().contains(text)
        || entry.detail?.lowercased().contains(text) == true
    }
  }
#endif
