#if INSPECTOR
  import FieldstoneCore
  import FieldstoneHTML
  import FieldstoneRunDisplay
  public import FieldstoneServing
  import Foundation

  extension Inspector: Site {
    /// Answers a request to a Fieldstone server, which can update an open page with server-sent
    /// events.
    ///
    /// Requests for `/live` that accept `text/event-stream` get events. All others get the result
    /// of ``response(to:)``.
    @concurrent
    public func answer(_ request: SiteRequest) async -> SiteAnswer {
      guard request.method == "GET",
        request.header("accept")?.lowercased().hasPrefix("text/event-stream") == true
      else { return .response(await response(to: request)) }
      do throws(InspectorRefusal) {
        if let response = try guardian.admit(request) {
          return .response(finished(response))
        }
        guard let target = RequestTarget(request.target, under: guardian.prefix),
          target.path == ["live"]
        else { return .response(finished(refusal(.noPage))) }
        return .events(try await events(target.query, origin: guardian.origin(of: request)))
      } catch {
        return .response(finished(refusal(error)))
      }
    }

    /// The events of an open page: its live part after each change, and the time each second.
    private func events(_ query: FormValues, origin: String) async throws(InspectorRefusal)
      -> EventStream
    {
      let target = try liveTarget(query)
      // A page that can't be shown is refused with its status instead of a stream.
      _ = try await livePart(target, origin, unless: nil)
      let tag = Locked(query["tag"])
      return EventStream(
        heartbeat: .seconds(1), time: time,
        event: {
          let part: LivePart
          do throws(InspectorRefusal) {
            part = try await livePart(target, origin, unless: tag.withLock { $0 })
            tag.withLock { $0 = part.tag }
          } catch {
            part = LivePart(tag: "", time: StageText.time(time.now), problem: error.message)
          }
          return try? part.json
        })
    }
  }

  extension Inspector {
    /// The page whose live part is requested.
    func liveTarget(_ query: FormValues) throws(InspectorRefusal) -> RequestTarget {
      guard let text = query["page"], let target = RequestTarget(text, under: guardian.prefix)
      else { throw .noPage }
      return target
    }

    /// The live part of a page, without what a client with that tag has.
    func livePart(
      _ target: RequestTarget, _ origin: String, unless tag: String?
    ) async throws(InspectorRefusal) -> LivePart {
      LivePart(
        try await page(target, origin: origin).live.markup, time: StageText.time(time.now),
        unless: tag)
    }
  }
#endif
