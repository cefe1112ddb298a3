#if Inspector
  public import FieldstoneCore
  public import FieldstoneDurable
  import FieldstoneHTML
  import Foundation

  /// The pages that show and steer the runs of a journal, as a function from request to response.
  ///
  /// ```swift
  /// let inspector = Inspector(journal: journal)
  /// try await inspector.run(port: 8471) { address in logger.info("\(address)") }
  /// ```
  ///
  /// ``run(port:onListening:)`` serves them at the loopback address. Any other server can carry them by
  /// ``response(to:)``. They work without scripts; a script of their own keeps an open page current.
  /// Other processes may work on the journal at the same time.
  public struct Inspector: Sendable {
    let journal: any Journal
    let name: String
    let guardian: RequestGuard
    let time: TimeSource
    let census: RunCensus

    /// Makes the pages of a journal.
    ///
    /// - Parameters:
    ///   - journal: the journal; a process may have several inspectors of it.
    ///   - name: its name in the head of each page.
    ///   - options: who may use the pages, and for what.
    ///   - time: the clocks by which the pages tell distances.
    public init(
      journal: any Journal, name: String = "Fieldstone",
      options: InspectorOptions = InspectorOptions(), time: TimeSource = .system
    ) {
      self.journal = journal
      self.name = name
      self.time = time
      guardian = RequestGuard(options)
      census = RunCensus(journal, time)
    }

    /// The answer to a request.
    ///
    /// It reads at most a page of runs or of steps, and for the overview at most 10,000 runs of each
    /// state, once in five seconds. What is wrong with a request is told by the status and a page: 400,
    /// 401, 403, 404, 405, 409, 413, 414, 415, 422, and 503 while the journal can't be used.
    @concurrent
    public func response(to request: InspectorRequest) async -> InspectorResponse {
      var response: InspectorResponse
      do throws(InspectorRefusal) {
        response = try await answer(request)
      } catch {
        response = refusal(error)
        if error.status == 405 { response.headers["Allow"] = "GET, HEAD, POST" }
      }
      if request.method == "HEAD" { response.body = [] }
      return response
    }

    var address: PageAddress { PageAddress(prefix: guardian.prefix) }

    var parts: PageParts {
      PageParts(address: address, now: time.now, isReadOnly: guardian.options.isReadOnly)
    }

    private func answer(
      _ request: InspectorRequest
    ) async throws(InspectorRefusal) -> InspectorResponse {
      try guardian.check(request)
      guard let target = RequestTarget(request.target, under: guardian.prefix) else {
        throw .noPage
      }
      if let way = try guardian.admit(request, target.query) { return way }
      if request.method == "POST" {
        let form = FormValues(String(decoding: request.body, as: UTF8.self))
        try guardian.check(form)
        return try await post(form, to: target)
      }
      if let response = try await file(target) { return response }
      return html(try await page(target), target: request.target)
    }

    /// A page in its frame.
    func html(_ page: InspectorPage, target: String?) -> InspectorResponse {
      let layout = PageLayout(parts: parts, name: name, target: page.live == .empty ? nil : target)
      return InspectorResponse(status: page.status, page: layout.html(page))
    }

    private func refusal(_ refusal: InspectorRefusal) -> InspectorResponse {
      // Nobody who may not see the pages gets one, not even the name of the journal.
      if refusal.status == 401 || refusal.status == 403 {
        return InspectorResponse(status: refusal.status, text: refusal.message)
      }
      let page = InspectorPage(
        title: "Not possible",
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text("That is not possible") }
          HTML.element("p", [.class("banner bad"), HTMLAttribute("role", "alert")]) {
            HTML.text(refusal.message)
          }
          HTML.element("p") { parts.link("Overview", to: address.overview, class: "button") }
        }, status: refusal.status)
      return html(page, target: nil)
    }
  }
#endif
