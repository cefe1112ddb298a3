#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// A response that is not a page: a style sheet, a picture, a stage as JSON, or a page's live
    /// part.
    func file(_ target: RequestTarget, origin: String) async throws(InspectorRefusal)
      -> SiteResponse?
    {
      let path = target.path
      do {
        switch (path.first, path.count) {
        case ("inspector.css", 1):
          return SiteResponse(
            type: "text/css; charset=utf-8", body: InspectorAssets.style.utf8)
        case ("inspector.js", 1):
          return SiteResponse(
            type: "text/javascript; charset=utf-8", body: InspectorAssets.script.utf8)
        case ("icon.svg", 1):
          return SiteResponse(type: "image/svg+xml", body: PageLayout.icon.utf8)
        case ("find", 1):
          return .redirect(to: try await found(target.query["q"] ?? ""))
        case ("live", 1):
          let part = try await livePart(
            try liveTarget(target.query), origin, unless: target.query["tag"])
          return SiteResponse(type: "application/json", body: try part.json.utf8)
        case ("timeline.json", 1): return try await export(target.query)
        case ("runs", 3) where path[2] == "path.svg":
          return try await picture(of: try await run(path[1]))
        case ("runs", 4) where path[2] == "stages":
          return try await stage(path[3], of: try await run(path[1]))
        default: return nil
        }
      } catch {
        throw InspectorRefusal(error)
      }
    }

    /// The address of the page with what a text names: a run, the runs of a key, or events.
    private func found(_ whole: String) async throws -> String {
      let text = whole.trimmingCharacters(in: .whitespacesAndNewlines)
      guard let storedJournal else {
        var filter = TimelineFilter()
        filter.text = text.isEmpty ? nil : text
        return address.timeline(filter)
      }
      // A key may have the form of an identifier.
      if let id = RunID(text), try await storedJournal.run(id) != nil { return address.run(id) }
      // A key may begin or end with white space.
      if text != whole, try await !storedJournal.runs(RunQuery(key: whole, limit: 1)).runs.isEmpty {
        return address.runs(RunFilter(key: whole))
      }
      return address.runs(RunFilter(key: text.isEmpty ? nil : text))
    }

    /// The diagram of a run's flow as a picture, with the run's path marked.
    private func picture(of run: RunRecord) async throws -> SiteResponse {
      let graph = try await journal.graph(of: run, book.reader.redaction)
      var response = SiteResponse(type: "image/svg+xml", body: graph.svg.utf8)
      // The picture contains its style, and loads nothing.
      response.headers["Content-Security-Policy"] =
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
      return response
    }

    /// A stage exactly as in the journal, with dots for redacted members.
    private func stage(_ name: String, of run: RunRecord) async throws -> SiteResponse {
      guard name.hasSuffix(".json"), let sequence = Int(name.dropLast(5)), sequence >= 0 else {
        throw InspectorRefusal.noPage
      }
      let payload: Data?
      if sequence == run.sequence {
        payload = run.payload
      } else {
        let after = sequence > 0 ? sequence - 1 : nil
        payload = try await journal.steps(of: run.id, after: after, limit: 1).steps
          .first { $0.sequence == sequence }?.payload
      }
      guard let payload else {
        throw InspectorRefusal(
          404, "The run has no stage \(sequence) any more; look at its stages.")
      }
      return SiteResponse(
        type: "application/json", body: book.reader.redaction.redacted(payload))
    }
  }
#endif
