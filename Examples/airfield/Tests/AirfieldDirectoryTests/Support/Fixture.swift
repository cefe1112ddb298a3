import Foundation
import Testing

/// The files of the folder `Fixtures`.
enum Fixture {
  static func url(_ name: String) throws -> URL {
    try #require(
      Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Fixtures"))
  }
}
