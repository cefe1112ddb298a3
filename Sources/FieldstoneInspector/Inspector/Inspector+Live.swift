#if INSPECTOR
  import FieldstoneCore
  import FieldstoneHTML
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// The page of all watched objects.
    func watchedPage(title: String = "Live") async -> InspectorPage {
      let objects = book.objects
      // The main actor copies the values; they are put into words elsewhere.
      let headlines = await MainActor.run { objects.map { $0.headlineCopy() } }
      book.prepareLook()
      let items = zip(objects, headlines).map { object, headline in
        WatchedPage.Item(
          object: object, headline: headline?(), force: book.knownSwitch(object.name)?.load)
      }
      let events = book.record.snapshot.entries.suffix(30).reversed()
      return WatchedPage(parts: parts, title: title, items: items, events: Array(events)).page
    }

    /// The page of a watched object.
    func watchedPage(
      of number: String, _ query: FormValues
    ) async throws(InspectorRefusal) -> InspectorPage {
      let object = try watched(number)
      var from = 0
      if let text = query["from"] {
        guard let index = Int(text) else {
          throw InspectorRefusal(400, "“\(text.prefix(64))” is no number of an item.")
        }
        from = max(index, 0)
      }
      // The main actor copies the state; it is put into words elsewhere.
      let (words, possible) = await MainActor.run { [from] in
        (object.stateCopy(from: from), object.possibleActions)
      }
      var state = await words?()
      if object.cancelCall != nil { state?.tables.insert(book.callsTable(of: object), at: 0) }
      book.prepareLook()
      let events = book.record.snapshot.entries.reversed().lazy.filter(object.owns).prefix(50)
      return WatchedObjectPage(
        parts: parts, object: object, state: state, force: book.knownSwitch(object.name),
        events: Array(events), possible: possible
      ).page
    }

    /// The page of the timeline.
    func timelinePage(_ query: FormValues) async throws(InspectorRefusal) -> InspectorPage {
      let filter = try TimelineFilter(query)
      book.prepareLook()
      return TimelinePage(parts: parts, filter: filter, snapshot: book.record.snapshot).page
    }

    /// The timeline as an exported file.
    func export(_ query: FormValues) async throws -> SiteResponse {
      let filter = try TimelineFilter(query)
      book.prepareLook()
      let snapshot = book.record.snapshot
      let session = TimelineSession(
        name: name, exportedAt: time.now, dropped: snapshot.dropped, missed: snapshot.missed,
        entries: snapshot.entries.filter(filter.takes))
      var response = SiteResponse(type: "application/json", body: try session.data)
      response.headers["Content-Disposition"] = "attachment; filename=\"timeline.json\""
      return response
    }

    /// Performs the action of a form posted from these pages.
    func postLive(_ post: InspectorPost) async throws(InspectorRefusal) -> SiteResponse {
      let path = post.target.path
      if path.count == 2, path[0] == "timeline" {
        guard ["pause", "resume", "clear"].contains(path[1]) else { throw .noPage }
        try await changing(path[1], "the timeline", by: post) {
          switch path[1] {
          case "pause": book.record.setPaused(true)
          case "resume": book.record.setPaused(false)
          default: book.record.clear()
          }
        }
        return .redirect(to: address.timeline())
      }
      guard path.count == 3, path[0] == "watched" else { throw .noPage }
      let object = try watched(path[1])
      if path[2] == "force" {
        try await changing("force", object.name, by: post) { try force(object, post.values) }
      } else {
        guard let action = WatchedAction(rawValue: path[2]), let body = object.actions[action]
        else {
          throw .noPage
        }
        if action == .cancel, let text = post.values["call"] {
          try await changing("cancel", object.name, by: post) { try await cancel(text, of: object) }
        } else {
          try await changing(action.rawValue, object.name, by: post) {
            let isDone = await MainActor.run {
              guard object.allows(action) else { return false }
              note(object, action.title)
              body()
              return true
            }
            guard isDone else { throw action.refusal }
          }
        }
      }
      return .redirect(to: address.object(object.id))
    }

    /// Cancels a call under way.
    private func cancel(_ number: String, of object: WatchedObject) async throws {
      guard let cancelCall = object.cancelCall, let number = Int(number) else {
        throw InspectorRefusal.noPage
      }
      let isCancelled = await MainActor.run { cancelCall(number) }
      guard isCancelled else {
        throw InspectorRefusal(409, "The call is not under way any more; look at its events.")
      }
      note(object, WatchedAction.cancel.title)
    }

    private func force(
      _ object: WatchedObject, _ values: FormValues
    ) throws(InspectorRefusal) {
      guard let force = book.knownSwitch(object.name) else { throw .noPage }
      guard let load = ForcedLoad(rawValue: values["load"] ?? ""), force.choices.contains(load)
      else {
        throw InspectorRefusal(422, "The loads of this object can't be forced so; choose another.")
      }
      guard let seconds = Int(values["seconds"] ?? "5"), (0...600).contains(seconds) else {
        throw InspectorRefusal(422, "Write a whole number of seconds, 600 at most.")
      }
      force.choose(load, delay: .seconds(seconds))
      note(object, "Force: \(load.title)")
    }

    /// Records an action of a page on the timeline.
    private func note(_ object: WatchedObject, _ text: String) {
      book.record.add(
        TimelineEntry(
          time: time.now, kind: .force, source: object.name, identity: object.identity, text: text,
          detail: "by the inspector"))
    }

    private func watched(_ number: String) throws(InspectorRefusal) -> WatchedObject {
      guard let id = Int(number), let object = book.object(id) else {
        throw InspectorRefusal(404, "No such object is watched; look at the list of them.")
      }
      return object
    }
  }
#endif
