import Fieldstone
import FieldstoneHTML
import FieldstoneServing

extension DirectorySite {
  /// Opens a stream of events, for a visitor who is known or for a new one.
  func live(_ request: LiveRequest) -> SiteAnswer {
    guard visitors.streamCount < limits.server.streams else { return .response(full) }
    guard let visitor = visitors.visitor(request.visitor) ?? begin(request) else {
      return .response(full)
    }
    // Only our own pages come here: an edit that was merely asked for may be anybody's.
    if case .edit = visitor.content { visitor.keep(for: limits.draft) }
    return .events(
      LivePage.events(
        visitor: visitor, face: face(of: visitor, request), heartbeat: limits.heartbeat,
        time: model.time))
  }

  private func begin(_ request: LiveRequest) -> Visitor? {
    let content: Visitor.Content
    switch request.page {
    case .directory(let query):
      let count = min(request.count ?? 0, limits.shown)
      let screen = DirectoryScreen(model, query: query, count: count)
      screen.appear()
      content = .directory(screen)
    case .airport(let icao):
      let screen = AirportScreen(model, icao: icao)
      screen.appear()
      content = .airport(screen)
    case .importing: content = model.importing.map { .importing($0) } ?? .other
    case .nightly: content = model.nightly.map { .nightly($0) } ?? .other
    // An edit that was forgotten goes on when it is posted; until then there is nothing to tell.
    case .edit, .other: content = .other
    }
    return visitors.add(content)
  }

  private func face(of visitor: Visitor, _ request: LiveRequest) -> LiveFace {
    let settings = model.settings
    switch visitor.content {
    case .directory(let screen):
      return DirectoryFace(screen, settings: settings, countryName: countryName).fragments
    case .airport(let screen):
      return {
        guard screen.record != nil || screen.deleted != nil else { return [] }
        return [.part(id: "airport", self.view(screen).article)]
      }
    case .edit(let screen):
      return EditFace(screen, draft: visitor.id, shown: request.revision, settings: settings)
        .fragments
    case .importing(let screen):
      return {
        let view = ImportView(screen: screen, settings: settings.settings, notes: SiteNotes())
        return view.parts.map { .part(id: $0.id, $0.html) }
      }
    case .nightly(let screen):
      return {
        let view = NightlyView(screen: screen, theme: .system, notes: SiteNotes())
        return view.parts.map { .part(id: $0.id, $0.html) }
      }
    // Nothing of it changes: it only wants to know that we are there.
    case .other: return { [] }
    }
  }

  func act(_ values: FormValues) async -> SiteResponse {
    guard let visitor = visitors.visitor(values["visitor"]) else {
      return SiteResponse(status: 404, text: "Connect again.")
    }
    switch (visitor.content, values["do"]) {
    case (.directory(let screen), "search"):
      screen.type(values["q"] ?? "")
      let asked = AirportQuery(values.byName)
      screen.filter(country: asked.country, kind: asked.kind)
      screen.sort(by: asked.order)
    case (.directory(let screen), "more"): screen.loadMore()
    case (.directory(let screen), "retry"): screen.retry()
    case (.edit(let screen), "field"):
      guard let key = values["name"], let field = screen.form[key] else { break }
      let posted = values.pairs.filter { $0.name == "value" }.map { (name: key, value: $0.value) }
      await visitor.turns.take { screen.take(field, posted: posted) }
    // An edit that was forgotten: all of it is there when it is posted.
    case (.other, "field"): break
    default: return SiteResponse(status: 400, text: "There is nothing of that name to do.")
    }
    return .done
  }
}
