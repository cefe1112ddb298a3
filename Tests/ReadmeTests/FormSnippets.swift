import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

/// The server that the snippets' forms validate with and submit to.
actor AirportServer {
  private(set) var saved: [Data] = []

  func isTaken(_ code: String) -> Bool { code == "LOWW" }
  func save(_ body: Data) { saved.append(body) }
}

// snippet: forms
@MainActor final class RunwayForm {
  let name = Field<String>("Name").require(.pattern(/[0-3][0-9][LCR]?/))
  let length = Field<Int>("Length").require(.notNil).require(.range(100...6_000))
  let isLit = Field<Bool>("Lit")
  private(set) lazy var form = FormModel {
    FormSection("Runway") {
      name; length; isLit
    }
  }
}
// end

@Suite("README: forms")
@MainActor
struct FormSnippets {
  @Test("Filling in and submitting")
  func submit() async throws {
    let server = AirportServer()
    // snippet: forms-use
    let runway = RunwayForm()
    runway.form["Name"]?.text = "11"  // what a person types
    runway.form["Length"]?.text = "35oo"  // stays as typed; the value stays nil
    var outcome = await runway.form.submit { await server.save(try runway.form.json()) }
    // refused: Length has the focus, and says "must be a whole number, such as 12"

    runway.form["Length"]?.text = "3500"
    outcome = await runway.form.submit { await server.save(try runway.form.json()) }
    // sent: {"Length":3500,"Name":"11"}
    // end
    #expect(outcome.value != nil)
    #expect(await server.saved == [Data(#"{"Length":3500,"Name":"11"}"#.utf8)])
  }

  @Test("What it says at once")
  func focus() async throws {
    let runway = RunwayForm()
    runway.form["Name"]?.text = "11"
    runway.form["Length"]?.text = "35oo"
    let outcome = await runway.form.submit {}
    #expect(outcome.error is FormError)
    #expect(runway.form.focusedField?.key == "Length")
    #expect(runway.form["Length"]?.messages == ["must be a whole number, such as 12"])
    #expect(runway.length.value == nil)
  }
}
