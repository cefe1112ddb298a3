import Foundation

/// What looks like an absolute address on the web.
enum WebAddress {
  /// Whether it has one of the schemes and a host, and nothing that does not belong in a URL.
  static func isPlausible(_ text: String, schemes: [String]) -> Bool {
    // Foundation reads what it can and escapes the rest.
    guard text.allSatisfy(belongs), let address = URLComponents(string: text),
      let scheme = address.scheme?.lowercased(), schemes.contains(scheme), let host = address.host
    else { return false }
    if let port = address.port, !(1...65_535).contains(port) { return false }
    return !host.isEmpty && !host.hasPrefix(".") && !host.contains("..")
  }

  /// Letters of all scripts are escaped by the client that follows the address.
  private static func belongs(_ character: Character) -> Bool {
    !character.isWhitespace && !#""<>\^`{|}"#.contains(character)
  }
}
