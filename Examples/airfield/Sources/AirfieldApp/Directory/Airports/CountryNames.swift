import Foundation
import Synchronization

/// The English names of countries, each looked up once.
final class CountryNames: Sendable {
  private let names = Mutex<[String: String]>([:])
  private let locale = Locale(identifier: "en")

  /// The codes of all countries and territories (ISO 3166-1), in no order.
  static let codes: Set<String> = {
    // Regions that are no country: unions, outlying islands as one, and what stands for unknown.
    let others: Set = ["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]
    return Set(
      Locale.Region.isoRegions.map(\.identifier).filter {
        $0.utf8.count == 2 && AirportRules.isCountry($0) && !others.contains($0)
      })
  }()

  /// The English name of a country, or its code where there is none.
  func name(of code: String) -> String {
    // What is no code may be of any number, and is not remembered.
    guard AirportRules.isCountry(code) else { return code }
    return names.withLock { names in
      if let name = names[code] { return name }
      let name = locale.localizedString(forRegionCode: code) ?? code
      names[code] = name
      return name
    }
  }
}
