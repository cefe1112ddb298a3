import Fieldstone
import Foundation

/// The 28,298 airports that come with the example.
public enum BundledAirports {
  /// The path of their file.
  public static func path() throws -> String {
    guard let url = Bundle.module.url(forResource: "airports", withExtension: "csv") else {
      throw MessageError("the bundled airports are missing; build airfield again")
    }
    return url.path
  }
}
