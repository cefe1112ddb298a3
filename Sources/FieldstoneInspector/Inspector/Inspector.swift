#if INSPECTOR
  public import FieldstoneCore
  public import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  public import FieldstoneServing
  import Foundation

  /// Pages that show and control the runs of a journal and the live objects of this process, as a
  /// function from request to response.
  ///
  /// ```swift
  /// let inspector = Inspector(journal: journal)
  /// try await inspector.run(port: 8471)  // prints the address
  /// ```
  ///
  /// ``run(host:port:onListening:)`` serves them at the loopback address. Any other server can
  /// serve them with ``response(to:)``. They work without scripts; their own script updates an open
  /// page. Other processes may use the journal at the same time.
  ///
  /// An app can watch its own integrators, lists, screens, forms, fields and operations. Watched
  /// objects are held weakly, and share one timeline of events.
  ///
  /// ```swift
  /// let inspector = Inspector(name: "Airfield")
  /// inspector.watch(users, as: "Users")
  /// ```
  public struct Inspector: Sendable {
    let storedJournal: (any Journal)?
    let name: String
    var guardian: RequestGuard
    let time: TimeSource
    let census: RunCensus?
    let book: WatchBook
    let changes: ChangeRecord
    /// The flows whose code checks edits and forks; nil for no check.
    var flows: [DurableFlow]?
    /// The signals that users can send, by name.
    var signals: [String: OfferedSignal] = [:]

    /// Makes the pages of a journal.
    ///
    /// - Parameters:
    ///   - journal: the journal; a process may have several inspectors of it.
    ///   - name: the name in the header of each page.
    ///   - options: the access rules of the pages.
    ///   - time: the clocks for the times shown on the pages.
    ///   - onChange: called on any thread with each change that is made, or tried, through the
    ///     pages. The pages keep the last 1,000 in memory.
    public init(
      journal: any Journal, name: String = "Fieldstone",
      options: InspectorOptions = InspectorOptions(), time: TimeSource = .system,
      onChange: (@Sendable (InspectorChange) -> Void)? = nil
    ) {
      self.init(over: journal, name: name, options: options, time: time, onChange: onChange)
    }

    /// Makes the pages of a process without a journal, for its watched objects.
    ///
    /// - Parameters:
    ///   - name: the name in the header of each page.
    ///   - options: the access rules of the pages.
    ///   - time: the clocks for the times shown on the pages.
    ///   - onChange: called on any thread with each change that is made, or tried, through the
    ///     pages. The pages keep the last 1,000 in memory.
    public init(
      name: String, options: InspectorOptions = InspectorOptions(), time: TimeSource = .system,
      onChange: (@Sendable (InspectorChange) -> Void)? = nil
    ) {
      self.init(over: nil, name: name, options: options, time: time, onChange: onChange)
    }

    private init(
      over journal: (any Journal)?, name: String, options: InspectorOptions, time: TimeSource,
      onChange: (@Sendable (InspectorChange) -> Void)?
    ) {
      storedJournal = journal
      self.name = name
      self.time = time
      guardian = RequestGuard(options)
      changes = ChangeRecord(onChange)
      census = journal.map { RunCensus($0, time) }
      book = WatchBook(
        record: TimelineRecord(),
        reader: ValueReader(redaction: RedactionRule(names: options.redactedNames)), time: time)
    }

    /// The journal.
    ///
    /// - Throws: `InspectorRefusal` if there is none.
    var journal: any Journal {
      get throws(InspectorRefusal) {
        guard let storedJournal else { throw .noPage }
        return storedJournal
      }
    }

    /// Returns the response to a request.
    ///
    /// It reads at most a page of runs or steps. For the overview it counts at most 10,000 runs of
    /// each state, once in five seconds and concurrently with the request. A refused request gets a
    /// page with the reason and a status: 400, 401, 403, 404, 405, 409, 413, 414, 415, 422, and 503
    /// while the journal is unavailable.
    @concurrent
    public func response(to request: SiteRequest) async -> SiteResponse {
      let response: SiteResponse
      do throws(InspectorRefusal) {
        response = try await reply(to: request)
      } catch {
        response = refusal(error)
      }
      return finished(response)
    }

    /// A response with the common headers.
    func finished(_ response: SiteResponse) -> SiteResponse {
      var response = response
      response.headers["Cache-Control"] = "no-store"
      return response
    }

    var address: PageAddress { PageAddress(prefix: guardian.prefix) }

    var parts: PageParts {
      PageParts(
        address: address, now: time.now, isReadOnly: guardian.options.isReadOnly,
        hasRuns: storedJournal != nil, hasObjects: storedJournal == nil || book.isUsed,
        formToken: guardian.formToken, hasFlows: flows != nil, redaction: book.reader.redaction)
    }

    private func reply(
      to request: SiteRequest
    ) async throws(InspectorRefusal) -> SiteResponse {
      if let answer = try guardian.admit(request) { return answer }
      guard let target = RequestTarget(request.target, under: guardian.prefix) else {
        throw .noPage
      }
      if request.method == "POST" {
        let values = try guardian.form(of: request)
        return try await post(
          InspectorPost(target: target, values: values, person: guardian.person(of: request)))
      }
      if let response = try await file(target, origin: guardian.origin(of: request)) {
        return response
      }
      return html(
        try await page(target, origin: guardian.origin(of: request)), target: request.target)
    }

    /// A page in the common layout.
    func html(_ page: InspectorPage, target: String?) -> SiteResponse {
      let layout = PageLayout(parts: parts, name: name, target: page.live == .empty ? nil : target)
      return SiteResponse(status: page.status, page: layout.html(page))
    }

    func refusal(_ refusal: InspectorRefusal) -> SiteResponse {
      // A client without access gets no page, and not even the journal's name.
      if refusal.status == 405 {
        return SiteResponse(
          status: 405, text: refusal.message, headers: ["Allow": "GET, HEAD, POST"])
      }
      if refusal.status == 401 || refusal.status == 403 {
        return SiteResponse(status: refusal.status, text: refusal.message)
      }
      let page = InspectorPage(
        title: "Not possible",
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text("That is not possible") }
          HTML.element("p", [.class("banner bad"), HTMLAttribute("role", "alert")]) {
            HTML.text(refusal.message)
          }
          HTML.element("div", [.class("buttons")]) {
            if let way = refusal.way { link(to: way) }
            parts.link("Overview", to: address.overview, class: "button")
          }
        }, status: refusal.status)
      return html(page, target: nil)
    }

    private func link(to way: InspectorRefusal.Way) -> HTML {
      switch way {
      case .run(let id): parts.link("Back to the run", to: address.run(id), class: "button")
      // The process may have no journal, and the address may have been typed.
      case .runs where !parts.hasRuns: .empty
      case .runs: parts.link("All runs", to: address.runs(), class: "button")
      case .timeline: parts.link("The timeline", to: address.timeline(), class: "button")
      }
    }
  }
#endif
