import Foundation

/// Airports and files that several tests use.
public enum Samples {
  /// The header of an airport file.
  public static let header = "icao,iata,name,city,subd,country,elevation,lat,lon,tz,lid\r\n"

  /// A file of so many rows under the header, 500 or so a batch; every 70th names no time zone.
  public static func file(rows: Int) -> String {
    let padding = String(repeating: "x", count: 180)
    return header
      + (0..<rows).map { number in
        let code = "A" + String(number + 1_000, radix: 36).uppercased()
        let zone = number % 70 == 69 ? "Nowhere" : "UTC"
        return "\(code.padding(toLength: 4, withPad: "_", startingAt: 0)),,Field \(number),"
          + "\(padding),,IS,,1,2,\(zone),\r\n"
      }.joined()
  }
}

// Only debug builds can be looked into, and tests are.
#if DEBUG
  @testable public import AirfieldApp

  extension Samples {
    /// An airport of which only this is known, and where it lies.
    public static func airport(
      _ icao: String, iata: String? = nil, name: String, city: String? = nil,
      country: String = "IS"
    ) -> Airport {
      Airport(
        icao: icao, iata: iata, name: name, city: city, country: country, latitude: 1, longitude: 2,
        timeZone: "UTC")
    }
  }
#endif
