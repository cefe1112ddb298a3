import AirfieldTestSupport
import Fieldstone
import FieldstoneTesting
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The screen of an airport", .timeLimit(.minutes(10)))
struct AirportScreenTests {
  @Test("loads again under the code that the airport has by then")
  func newCode() async throws {
    let screens = try await Screens(Screens.some)
    let screen = AirportScreen(screens.model, icao: "BIBD", timing: .immediate)
    screen.appear()
    await eventually { screen.record != nil && !screen.screen.state.isBusy }
    var airport = Screens.some[0]
    airport.icao = "BINN"
    _ = try await screens.model.save(airport, replacing: "BIBD", basedOn: 1)
    #expect(screen.icao == "BINN")
    airport.name = "Imported"
    _ = try await screens.directory.store([airport])
    screens.model.reload()
    await eventually { screen.record?.airport.name == "Imported" || screen.record == nil }
    #expect(screen.record?.airport.icao == "BINN")
  }
}
