import Fieldstone
import FieldstoneHTML
import Foundation
import Testing

// One model, three uses: the tutorial's code outside the form itself.

private struct QuietDirectory: AirportDirectory {
  func isTaken(_ icao: String, butFor edited: String) async throws -> Bool { icao == "LOWW" }
  func save(_ airport: Airport) async throws {}
}

@Suite("One model, three uses")
@MainActor
struct FormUses {
  private let airport = Airport(icao: "LOWI", name: "Innsbruck")

  @Test("A screen reads and writes what the form has of each field")
  func screen() async throws {
    let view = try AirportEditForm(editing: airport, in: QuietDirectory())
    // snippet: airport-screen
    for section in view.form.sections {
      print(section.title)
      for field in section.fields {
        print(field.label, field.text, field.keyboard, field.help, field.messages)
      }
    }
    view.form["latitude"]?.focus()  // the person goes there,
    view.form["latitude"]?.text = "47.26"  // types,
    view.form["latitude"]?.blur()  // and goes on: the field is validated
    view.form.undo()
    // end
    #expect(view.latitude.value == nil && view.form.canRedo)
  }

  @Test("A page without scripts is made of it, and what is posted goes into it")
  func page() async throws {
    let directory = QuietDirectory()
    let airport = airport
    // snippet: airport-page
    func page(posting values: [(name: String, value: String)]) async throws -> HTML {
      let view = try AirportEditForm(editing: airport, in: directory)
      view.form.take(posted: values)
      if case .success = await view.save() { return HTML.text("Saved.") }
      return HTML.form(view.form, address: "/airports/LOWI")  // with what is wrong, in its place
    }
    // end
    let refused = try await page(posting: [("icao", "LOWW"), ("elevation", "high")]).markup
    #expect(
      refused.contains("value=\"high\"") && refused.contains("Elevation must be a whole number"))
    let taken = try await page(posting: [("icao", "LOWW")]).markup
    #expect(taken.contains("ICAO code is taken by another airport"))
    #expect(try await page(posting: [("icao", "LOWK")]).markup == "Saved.")
  }

  @Test("A service checks with it what a request brings, and answers with what is wrong")
  func service() async throws {
    let directory = QuietDirectory()
    // snippet: airport-service
    func answer(to body: Data) async throws -> [FieldIssue] {
      let view = try AirportEditForm(editing: Airport(), in: directory)
      let request = try JSONDecoder().decode([String: JSONValue].self, from: body)
      let report = try view.form.fill(values: request)
      guard report.issues.isEmpty else { return report.issues }  // malformed: a number as text
      let outcome = await view.save()
      if case .invalid(let issues)? = outcome.error as? FormError { return issues }
      return []
    }
    // end
    let malformed = try await answer(to: Data(#"{"icao": 7}"#.utf8))
    #expect(malformed.map(\.code) == ["malformed"] && malformed.map(\.path) == [["icao"]])
    let invalid = try await answer(to: Data(#"{"icao": "LOWI", "latitude": 91}"#.utf8))
    #expect(invalid.map(\.path) == [["name"], ["latitude"], ["longitude"]])
    let valid = try await answer(
      to: Data(#"{"icao": "LOWI", "name": "Innsbruck", "country": "AT"}"#.utf8))
    #expect(valid.isEmpty)
  }
}
