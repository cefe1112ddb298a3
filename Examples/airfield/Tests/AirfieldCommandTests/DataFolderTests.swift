import Foundation
import Testing

@testable import AirfieldApp

@Suite("The data folder")
struct DataFolderTests {
  @Test(
    "is where the XDG base directories have it",
    arguments: [
      ([:], "/home/ada/.local/share/airfield"), (["XDG_DATA_HOME": "/data"], "/data/airfield"),
      (["XDG_DATA_HOME": ""], "/home/ada/.local/share/airfield"),
      (["XDG_DATA_HOME": "relative"], "/home/ada/.local/share/airfield"),
    ])
  func place(_ environment: [String: String], _ path: String) {
    let folder = DataFolder(environment: environment, home: URL(filePath: "/home/ada"))
    #expect(folder.url.path == path)
  }
}
