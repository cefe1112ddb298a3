/// An attribute of an element.
public struct HTMLAttribute: Sendable, Hashable {
  let markup: String

  /// An attribute with a value.
  ///
  /// - Parameters:
  ///   - name: its name; an address (`href`, `src`, `action`, `formaction`) belongs to
  ///     ``address(_:_:)``, and what runs as a script (`onclick` and the like) or is a page of its
  ///     own (`srcdoc`) is left out.
  ///   - value: its value, escaped.
  public init(_ name: String, _ value: String) {
    let name = HTML.plainName(name)
    if name.lowercased().hasPrefix("on") || name.lowercased() == "srcdoc" {
      markup = ""
    } else if Self.addressNames.contains(name.lowercased()) {
      markup = " \(name)=\"\(HTML.escaped(Self.safe(value)))\""
    } else {
      markup = " \(name)=\"\(HTML.escaped(value))\""
    }
  }

  /// An attribute that is there or not.
  public init(_ name: String, isOn: Bool) {
    markup = isOn ? " \(HTML.plainName(name))" : ""
  }

  /// An attribute that is there where it has a value.
  public init(_ name: String, _ value: String?) {
    self = value.map { HTMLAttribute(name, $0) } ?? HTMLAttribute(name, isOn: false)
  }

  /// The classes.
  public static func `class`(_ names: String) -> HTMLAttribute { HTMLAttribute("class", names) }

  /// The identifier.
  public static func id(_ identifier: String) -> HTMLAttribute { HTMLAttribute("id", identifier) }

  /// An address: one that would run as a script leads nowhere.
  public static func address(_ name: String, _ address: String) -> HTMLAttribute {
    HTMLAttribute(name, address)
  }

  private static let addressNames: Set<String> = [
    "href", "src", "action", "formaction", "poster", "data", "cite", "ping", "background",
  ]

  /// An address with a scheme that is known to be harmless, or without one.
  ///
  /// Whatever browsers make of signs within a scheme, it is none of these then.
  private static func safe(_ address: String) -> String {
    // By scalars, as browsers read it: a combining mark must not hide the colon.
    let scalars = address.unicodeScalars
    guard let colon = scalars.firstIndex(of: ":") else { return address }
    let scheme = scalars[..<colon]
    if scheme.contains(where: { "/?#".unicodeScalars.contains($0) }) { return address }
    return ["http", "https", "mailto", "tel"].contains(String(scheme).lowercased())
      ? address : "about:blank#blocked"
  }
}
