import Fieldstone
import FieldstoneHTML
import FieldstoneServing

extension DirectorySite {
  func edit(_ icao: String?, draft: String?) async -> SiteResponse {
    if case .edit(let screen)? = visitors.visitor(draft)?.content, let draft {
      return page(screen, draft)
    }
    do {
      let (visitor, screen) = try await beginEdit(of: icao)
      return page(screen, visitor.id)
    } catch {
      return error.response
    }
  }

  /// Takes a posted edit: what was typed first, and then what is to be done.
  func takeEdit(of icao: String?, _ values: FormValues) async -> SiteResponse {
    let draft = values["draft"]
    if let known = visitors.visitor(draft), case .edit(let screen) = known.content {
      return await known.turns.take { await takeEdit(of: known, screen, values) }
    }
    do {
      // The draft was forgotten: all of it but its history is in what was posted.
      let (visitor, screen) = try await beginEdit(of: icao, shown: Self.shown(values))
      return await visitor.turns.take { await takeEdit(of: visitor, screen, values) }
    } catch {
      return error.response
    }
  }

  private func takeEdit(
    of visitor: Visitor, _ screen: AirportEditScreen, _ values: FormValues
  ) async -> SiteResponse {
    visitor.keep(for: limits.draft)
    // What was posted is based on what that page showed, whatever the screen has taken since.
    screen.noteBase(values["revision"].flatMap { Int($0) }, Self.shown(values)?.airport)
    screen.take(posted: values.pairs)
    switch values["do"] {
    case "undo": screen.form.undo()
    case "redo": screen.form.redo()
    case "reset": screen.form.reset()
    case "keep": screen.keepMine()
    case "theirs": screen.takeTheirs()
    default:
      if let record = await screen.save().value {
        // The page that was saved from may still be connected, and goes in a moment.
        visitor.settle(for: limits.absence)
        visitors.forget(visitor)
        return SiteResponse(
          status: 303, text: "",
          headers: ["Location": PageAddress.airport(icao: record.airport.icao).text + "?saved"])
      }
      return page(screen, visitor.id, status: 422)
    }
    return .see(.edit(icao: screen.base?.airport.icao, draft: visitor.id))
  }

  func delete(_ icao: String, _ values: FormValues) async -> SiteResponse {
    let revision = values["revision"].flatMap { Int($0) } ?? 0
    return await change(icao) { try await model.delete(icao: icao, basedOn: revision) }
  }

  func restore(_ icao: String) async -> SiteResponse {
    await change(icao) { _ = try await model.restore(icao: icao) }
  }

  /// Leads to the airport, which says what it is now, or says why nothing was done.
  private func change(_ icao: String, _ work: () async throws -> Void) async -> SiteResponse {
    do {
      try await work()
      return .see(.airport(icao: icao.uppercased()))
    } catch let error as AirportSaveError {
      return problem(409, "That was not done", error.sentence, retry: .airport(icao: icao))
    } catch {
      return unreachable(error, retry: .airport(icao: icao))
    }
  }

  private func page(
    _ screen: AirportEditScreen, _ draft: String, status: Int = 200
  ) -> SiteResponse {
    let view = EditView(
      screen: screen, draft: draft, settings: model.settings.settings, notes: notes)
    return SiteResponse(
      status: status, page: view.html, headers: ["Cache-Control": "no-store"])
  }

  private struct Refused: Error {
    let response: SiteResponse
  }

  /// The airport that the page was made from which was posted; nil where it does not say so.
  private static func shown(_ values: FormValues) -> AirportRecord? {
    guard let revision = values["revision"].flatMap({ Int($0) }),
      let airport = Airport(posted: values["was"])
    else { return nil }
    return AirportRecord(airport: airport, revision: revision)
  }

  /// Begins an edit, or begins one anew of a page that has shown an airport.
  private func beginEdit(
    of icao: String?, shown: AirportRecord? = nil
  ) async throws(Refused) -> (Visitor, AirportEditScreen) {
    do {
      var record: AirportRecord?
      if let icao {
        record = try await model.source.record(icao: icao)
        if record == nil,
          let code = try await model.source.reaching({ try await $0.successor(of: icao) })
        {
          guard shown != nil else { throw Refused(response: .see(.edit(icao: code, draft: nil))) }
          record = try await model.source.record(icao: code)
        }
        // One that was deleted stays as it was shown, so that nothing typed is lost.
        record = record ?? shown
        guard record != nil else { throw Refused(response: notFound) }
      }
      let countries = try await model.countriesToChoose()
      let screen = AirportEditScreen(model, editing: record, countries: countries)
      guard let visitor = visitors.add(.edit(screen)) else {
        throw Refused(response: full)
      }
      return (visitor, screen)
    } catch let error as Refused {
      throw error
    } catch {
      throw Refused(response: unreachable(error, retry: .edit(icao: icao, draft: nil)))
    }
  }
}

extension AirportSaveError {
  /// Why an airport was neither deleted nor restored, for people.
  fileprivate var sentence: String {
    switch self {
    case .conflict:
      "Somebody else has changed this airport meanwhile. Look at it again, and delete it then."
    case .gone: "There is no such airport any more."
    case .codeTaken(let icao):
      "There is another airport with the code \(icao) by now. Give that one another code first."
    }
  }
}
