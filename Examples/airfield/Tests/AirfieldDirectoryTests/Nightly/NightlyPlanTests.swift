import AirfieldTestSupport
import Foundation
import Testing

@testable import AirfieldApp

@Suite("The plan of a nightly export")
struct NightlyPlanTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "has a time of the day, with a digit or two for the hour",
    arguments: [("02:30", "02:30"), ("2:30", "02:30"), ("0:00", "00:00"), ("23:59", "23:59")])
  func times(typed: String, time: String) throws {
    let plan = try NightlyPlan(
      folder: folder.url.path, at: typed, zone: "Europe/Berlin", keeping: 3)
    #expect(plan.time == time)
    #expect((plan.zone, plan.kept, plan.folder) == ("Europe/Berlin", 3, folder.url.path))
  }

  @Test(
    "refuses what is no time of the day",
    arguments: ["", "2", "24:00", "2:60", "2:5", "-1:00", "02:30:00", "٠٢:٣٠", "002:30", "+2:30"])
  func badTimes(typed: String) {
    #expect(throws: NightlyError.badTime(typed)) {
      try NightlyPlan(folder: folder.url.path, at: typed)
    }
  }

  @Test("refuses a time zone that there is not, a number of files below one, and no folder")
  func others() throws {
    let path = folder.url.path
    #expect(throws: NightlyError.badZone("Mars/Olympus")) {
      try NightlyPlan(folder: path, zone: "Mars/Olympus")
    }
    #expect(throws: NightlyError.badCount(0)) { try NightlyPlan(folder: path, keeping: 0) }
    let file = try folder.path("file", "text")
    for missing in [path + "/none", file] {
      #expect(throws: ExportError.missingFolder(path: missing)) { try NightlyPlan(folder: missing) }
    }
  }
}
