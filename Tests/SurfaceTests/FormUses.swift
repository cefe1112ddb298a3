import Fieldstone
import FieldstoneHTML
import Foundation
import Testing

// One model, three uses: the tutorial's code outside the form itself.

private struct QuietDirectory: AirportDirectory {
  func isTaken(_ icao: String, butFor edited: String) async throws -> Bool { icao == "LOWW" }
  func save(_ airport: Airport) async throws {}
}

/// A directory that saves nothing.
private struct ClosedDirectory: AirportDirectory {
  let error: any Error
  func isTaken(_ icao: String, butFor edited: String) async throws -> Bool { false }
  func save(_ airport: Airport) async throws { throw error }
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
    let refused = try await page(
      of: QuietDirectory(), posting: [("icao", "LOWW"), ("elevation", "high")]
    ).markup
    #expect(
      refused.contains("value=\"high\"") && refused.contains("Elevation must be a whole number"))
    let taken = try await page(of: QuietDirectory(), posting: [("icao", "LOWW")]).markup
    #expect(taken.contains("ICAO code is taken by another airport"))
    #expect(
      try await page(of: QuietDirectory(), posting: [("icao", "LOWK")]).markup == "Saved.")
    let closed = ClosedDirectory(error: AirportRefused(reasons: ["name": "is not on our map"]))
    let rejected = try await page(of: closed, posting: [("icao", "LOWK")]).markup
    #expect(rejected.contains("Name is not on our map"))
    await #expect(throws: MessageError.self) {
      try await page(
        of: ClosedDirectory(error: MessageError("The database is down.")),
        posting: [("icao", "LOWK")])
    }
  }

  private func page(
    of directory: any AirportDirectory, posting values: [(name: String, value: String)]
  ) async throws -> HTML {
    let airport = airport
    // snippet: airport-page
    func page(posting values: [(name: String, value: String)]) async throws -> HTML {
      let view = try AirportEditForm(editing: airport, in: directory)
      view.form.take(posted: values)
      do {
        _ = try await view.save().get()
        return HTML.text("Saved.")
      } catch FormError.invalid(_), is FormRejection {
        return HTML.form(view.form, address: "/airports/LOWI")  // with what is wrong, in its place
      }  // every other error is thrown: nothing is saved
    }
    // end
    return try await page(posting: values)
  }

  @Test("A service checks with it what a request brings, and answers with what is wrong")
  func service() async throws {
    let malformed = try await answer(of: QuietDirectory(), to: #"{"icao": 7}"#)
    #expect(malformed.map(\.code) == ["malformed"] && malformed.map(\.path) == [["icao"]])
    let invalid = try await answer(
      of: QuietDirectory(), to: #"{"icao": "LOWI", "latitude": 91}"#)
    #expect(invalid.map(\.path) == [["name"], ["latitude"], ["longitude"]])
    let valid = #"{"icao": "LOWI", "name": "Innsbruck", "country": "AT"}"#
    #expect(try await answer(of: QuietDirectory(), to: valid).isEmpty)
    let closed = ClosedDirectory(error: AirportRefused(reasons: ["name": "is not on our map"]))
    #expect(try await answer(of: closed, to: valid).map(\.path) == [["name"]])
    await #expect(throws: MessageError.self) {
      try await answer(
        of: ClosedDirectory(error: MessageError("The database is down.")), to: valid)
    }
  }

  private func answer(
    of directory: any AirportDirectory, to text: String
  ) async throws -> [FieldIssue] {
    // snippet: airport-service
    func answer(to body: Data) async throws -> [FieldIssue] {
      let view = try AirportEditForm(editing: Airport(), in: directory)
      let request = try JSONDecoder().decode([String: JSONValue].self, from: body)
      let report = try view.form.fill(values: request)
      guard report.issues.isEmpty else { return report.issues }  // malformed: a number as text
      do {
        _ = try await view.save().get()
        return []
      } catch FormError.invalid(let issues) {
        return issues
      } catch let refused as FormRejection {
        return refused.issues
      }  // every other error is thrown: nothing is saved
    }
    // end
    return try await answer(to: Data(text.utf8))
  }
}
