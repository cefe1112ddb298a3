import Foundation

/// What looks like an absolute address on the web.
enum WebAddress {
  /// Whether it has one of the schemes and a host, and nothing that does not belong in a URL.
  static func isPlausible(_ text: String, schemes: [String]) -> Bool {
    guard !text.contains(where: \.isWhitespace), let address = URLComponents(string: text),
      let scheme = address.scheme?.lowercased(), schemes.contains(scheme), let host = address.host
    else { return false }
    return !host.isEmpty && !host.hasPrefix(".") && !host.contains("..")
  }
}
