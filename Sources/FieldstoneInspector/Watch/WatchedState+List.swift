#if INSPECTOR
  import FieldstoneCore
  import FieldstoneLoading

  extension WatchedState {
    /// The number of items, pages or edits that are shown at once.
    private static let shown = 50

    /// The state of a list that is watched under a name, copied on the main actor.
    ///
    /// - Parameter from: the index of the first item that is shown.
    @MainActor
    static func of<Item, Cursor>(
      _ list: PaginatedList<Item, Cursor>, _ edits: LocalEdits<Item>?, _ reader: ValueReader,
      _ name: String, from: Int
    ) -> @Sendable () -> Self {
      let (headline, standing) = (WatchedHeadline(list), list.standing)
      let (append, prepend) = (list.appendState, list.prependState)
      let (hasMore, hasPrevious) = (list.hasMore, list.hasPrevious)
      let (duplicates, known) = (list.duplicateCount, edits?.values ?? [:])
      return {
        let count = standing.items.count
        var state = Self(headline: headline)
        state.facts = [
          Fact(name: "Items", text: "\(count) of \(Item.self)"),
          Fact(name: "Pages", text: "\(standing.pageCount)"),
          Fact(name: "At the end", text: edge(append, hasMore: hasMore)),
          Fact(name: "At the start", text: edge(prepend, hasMore: hasPrevious)),
          Fact(name: "Duplicates", text: "\(duplicates)"),
        ]
        if let next = standing.next {
          state.facts.append(Fact(name: "Next cursor", text: reader.line(of: next, named: name)))
        }
        if let previous = standing.previous {
          state.facts.append(
            Fact(name: "Previous cursor", text: reader.line(of: previous, named: name)))
        }
        state.add(editsOf: standing, known, reader, name)
        // A list may be shorter by now than a page's address says.
        let first = from < count ? from : max(count - 1, 0) / shown * shown
        state.tables.append(items(of: standing, from: first, reader, name))
        state.tables.append(pages(of: standing, from: first, reader, name))
        return state
      }
    }

    /// Adds the local edits that no page has replaced, the newest first.
    private mutating func add<Item, Cursor>(
      editsOf standing: ListStanding<Item, Cursor>, _ known: [Item.ID: LocalEdits<Item>.Values],
      _ reader: ValueReader, _ name: String
    ) {
      let (added, changed, removed) = (standing.added, standing.changed, standing.removed)
      let count = added.count + changed.count + removed.count
      if count == 0 { return }
      facts.append(
        Fact(
          name: "Local edits",
          text: "\(added.count) added, \(changed.count) changed, \(removed.count) removed"))
      // Those that were made before the list was watched come last.
      func number(_ id: Item.ID) -> Int { known[id]?.number ?? 0 }
      let all =
        added.map { ($0, "added") } + changed.map { ($0, "changed") }
        + removed.map { ($0, "removed") }
      let newest = all.sorted { number($0.0) > number($1.0) }.prefix(Self.shown)
      let rows = newest.map { id, edit in
        let identifier = reader.line(of: id, named: name, length: 60)
        guard let values = known[id] else { return [identifier, edit, "was made before"] }
        // An item that was removed and inserted again is new to the source's page.
        let old = edit == "added" ? nil : values.old
        return [
          identifier, edit,
          reader.change(from: old, to: edit == "removed" ? nil : values.new, named: name),
        ]
      }
      tables.append(
        Table(
          title: "Local edits", columns: ["Identifier", "Edit", "Old → new"], rows: rows,
          note: count > rows.count ? "The last \(rows.count) of \(count) are shown." : nil))
    }

    /// The items from an index on, with links to those before and after them.
    private static func items<Item, Cursor>(
      of standing: ListStanding<Item, Cursor>, from first: Int, _ reader: ValueReader,
      _ name: String
    ) -> Table {
      let count = standing.items.count
      let end = min(first + shown, count)
      let rows = standing.items[first..<end].enumerated().map { offset, item in
        [
          "\(first + offset)", reader.line(of: item.id, named: name, length: 60),
          reader.line(of: item, named: name, length: 240),
        ]
      }
      var table = Table(title: "Items", columns: ["#", "Identifier", "Item"], rows: rows)
      if rows.count < count {
        table.note = "\(rows.count) of \(count) items are shown, from number \(first) on."
      }
      if first > 0 { table.parts.append(Part(title: "Earlier items", from: max(first - shown, 0))) }
      if end < count { table.parts.append(Part(title: "Further items", from: end)) }
      return table
    }

    /// The pages from the one with an item on, with their cursors.
    private static func pages<Item, Cursor>(
      of standing: ListStanding<Item, Cursor>, from first: Int, _ reader: ValueReader,
      _ name: String
    ) -> Table {
      func cursor(_ cursor: Cursor?) -> String {
        cursor.map { reader.line(of: $0, named: name, length: 60) } ?? "none"
      }
      let pages = standing.pages(from: first, atMost: shown)
      let rows = pages.map { page in
        [
          "\(page.number)",
          page.count == 0 ? "none" : "\(page.start)–\(page.start + page.count - 1)",
          cursor(page.cursor), cursor(page.previous), cursor(page.next),
        ]
      }
      return Table(
        title: "Pages",
        columns: ["Page", "Items", "Loaded with", "Previous cursor", "Next cursor"],
        rows: rows,
        note: rows.count < standing.pageCount
          ? "\(rows.count) of \(standing.pageCount) pages are shown, from that of the first item on."
          : nil)
    }

    private static func edge(_ state: ListEdgeState, hasMore: Bool) -> String {
      switch state {
      case .idle: hasMore ? "more to load" : "idle"
      case .loading: "loading"
      case .failed(let error): "failed: \(error.inWords)"
      case .end: "at its end"
      }
    }
  }
#endif
