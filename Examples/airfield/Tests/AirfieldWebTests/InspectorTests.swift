import AirfieldTestSupport
import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@Suite("The inspector of the directory", .timeLimit(.minutes(10)))
struct InspectorTests {
  /// So many airports that the list has a second page.
  private static let many = (0..<60).map { number in
    Samples.airport("BI\(number + 10)", name: "Field \(number)")
  }

  @Test("shows the imports, and each visitor's screens, lists and forms, to who has the token")
  func shows() async throws {
    try await RunningServer.with(importGate: Gate(), isInspected: true) { server in
      #expect(try await server.get("/inspector/").hasPrefix("HTTP/1.1 401 "))
      let pages = try await InspectedPages(server)
      let screen = await DirectoryScreen(server.model)
      await screen.appear()
      let edit = await AirportEditScreen(server.model, editing: nil, countries: [])
      await eventually { screen.list != nil }

      let runs = try await pages.get("/runs")
      #expect(runs.hasPrefix("HTTP/1.1 200 "))
      let objects = try await pages.get("/watched")
      for name in [
        "Settings", "Faults", "Imports", "Directory", "Airports", "Edit of a new airport",
      ] {
        #expect(objects.contains(">\(name)</a>"), "\(name)")
      }
      withExtendedLifetime((screen, edit)) {}
    }
  }

  @Test("shows the nightly export: its runner, its run as it goes on, and what it has told")
  func nightly() async throws {
    let gate = Gate()
    let folder = try TemporaryFolder()
    try await RunningServer.with(exportGate: gate, isInspected: true) { server in
      let exports = try #require(server.nightly)
      try await exports.set(
        try NightlyPlan(folder: folder.url.path, at: "2:30", zone: "Europe/Berlin", keeping: 5))
      // From then on its screen follows it.
      #expect(try await server.get("/exports").contains("Every night at 02:30"))
      let pages = try await InspectedPages(server)
      #expect(try await pages.get("/schedules").contains("Europe/Berlin"))
      try await exports.working {
        try await exports.runNow()
        await gate.arrivals(atLeast: 1)
        let runs = try await pages.get("/runs?state=running")
        let run = try #require(
          runs.firstMatch(of: #/"/inspector(/runs/[^"/?]+)"/#), "\(runs)")
        #expect(runs.contains("airfield.nightly"))
        let page = try await pages.get(String(run.1))
        #expect(page.hasPrefix("HTTP/1.1 200 "))
        #expect(page.contains(folder.url.lastPathComponent))
        let runner = try await pages.get(try await pages.object("Nightly exports"))
        #expect(runner.contains("airfield.nightly"))
        gate.open()
        await eventually {
          guard case .scheduled(let status)? = server.model.nightly?.state else { return false }
          return status.past.count == 1
        }
      }
      let timeline = try await pages.get("/timeline?from=airfield.nightly")
      #expect(timeline.contains("stage finished at stage 3"), "\(timeline)")
    }
  }

  @Test("forces what the directory finds: an error, no network, nothing, and then airports again")
  func forcesSearch() async throws {
    try await RunningServer.with(isInspected: true) { server in
      let pages = try await InspectedPages(server)
      let screen = await DirectoryScreen(server.model)
      await screen.appear()
      await eventually { screen.list != nil }

      try await pages.force("error", of: "Directory")
      let failed = try await server.get("/")
      #expect(failed.hasPrefix("HTTP/1.1 503 "))
      #expect(failed.contains("The airports could not be loaded."))
      #expect(failed.contains("The inspector forced this load to fail"))
      #expect(!failed.contains("Bíldudalur"))
      #expect(try await server.get("/map.txt").hasPrefix("HTTP/1.1 503 "))
      // A visitor who is there keeps what was found, and is told.
      await screen.retry()
      await eventually {
        if case .primary(.failed) = screen.screen.state {
          screen.list?.items.count == 1
        } else {
          false
        }
      }
      try await pages.force("offline", of: "Directory")
      #expect(try await server.get("/?page=2").contains("There is no network."))
      try await pages.force("empty", of: "Directory")
      #expect(try await server.get("/?q=fjord").contains("No airport matches."))
      #expect(try await server.get("/map.txt").hasSuffix("\r\n\r\n"))
      await screen.retry()
      await eventually {
        if case .noResults = screen.screen.state { true } else { false }
      }
      await screen.type("fjord")
      await eventually { screen.results?.query.search?.text == "fjord" }

      try await pages.force("none", of: "Directory")
      let found = try await server.get("/")
      #expect(found.hasPrefix("HTTP/1.1 200 ") && found.contains("Bíldudalur Airport"))
      #expect(try await server.get("/map.txt").contains("Bíldudalur Airport"))
      await screen.type("")
      await eventually {
        if case .primary(.none) = screen.screen.state {
          screen.list?.items.count == 1
        } else {
          false
        }
      }
      let events = try await pages.get("/timeline?from=Directory")
      for text in ["Force: Error", "Force: Offline", "Force: Empty", "Force: As it is", "fjord"] {
        #expect(events.contains(text), "\(text)")
      }
    }
  }

  @Test("forces how a visitor's list goes on: with an error, with nothing, and then as it does")
  func forcesList() async throws {
    try await RunningServer.with(airports: Self.many, isInspected: true) { server in
      let pages = try await InspectedPages(server)
      let screen = await DirectoryScreen(server.model)
      await screen.appear()
      await eventually { screen.list != nil }
      let list = try #require(await screen.list)

      try await pages.force("error", of: "Airports")
      await screen.loadMore()
      await eventually {
        guard case .failed(let error) = list.appendState else { return false }
        return error.localizedDescription.contains("The inspector forced this load to fail")
      }
      #expect(await list.items.count == 50)
      // What is searched for is not forced.
      #expect(try await server.get("/").contains("Field 0"))
      try await pages.force("none", of: "Airports")
      await screen.loadMore()
      await eventually { list.items.count == 60 }
      withExtendedLifetime(screen) {}
    }
  }

  @Test("stands before pages that take files as they do without it, and takes none itself")
  func files() async throws {
    try await RunningServer.with(importGate: Gate(), isInspected: true) { server in
      let file = PostedFile(text: "icao")
      let taken = try await server.status(of: file.request(server))
      #expect(taken == 303)
      let refused = try await server.status(of: file.request(server, path: "/inspector/runs"))
      #expect(refused == 415)
    }
  }

  @Test("is not there unless it was asked for")
  func absent() async throws {
    try await RunningServer.with { server in
      for path in ["/inspector/", "/inspectors"] {
        let answer = try await server.get(path)
        #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(path)")
      }
    }
  }
}
