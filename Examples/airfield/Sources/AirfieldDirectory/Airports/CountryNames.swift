import Foundation
import Synchronization

/// The English names of countries, each looked up once.
public final class CountryNames: Sendable {
  private let names = Mutex<[String: String]>([:])
  private let locale = Locale(identifier: "en")

  /// Makes an empty collection.
  public init() {}

  /// The English name of a country, or its code where there is none.
  public func name(of code: String) -> String {
    names.withLock { names in
      if let name = names[code] { return name }
      let name = locale.localizedString(forRegionCode: code) ?? code
      names[code] = name
      return name
    }
  }
}
