/// A piece of HTML: elements and texts, each escaped for its place.
///
/// ```swift
/// let page = HTML.element("p", [.class("note")]) {
///   HTML.text("Fish & chips <today>")
/// }
/// page.markup  // <p class="note">Fish &amp; chips &lt;today&gt;</p>
/// ```
///
/// A browser shows exactly the given texts. Only ``unescaped(_:)`` adds markup without escaping.
public struct HTML: Sendable, Hashable {
  /// The markup.
  public let markup: String

  /// True if a part is escaped, so that it must not be placed where browsers read no escapes.
  private let isEscaped: Bool

  /// Makes a piece of trusted markup; never use it for texts of users.
  public static func unescaped(_ markup: String) -> HTML {
    HTML(markup: markup, isEscaped: false)
  }

  /// Makes an escaped text.
  public static func text(_ text: String) -> HTML {
    HTML(markup: escaped(text), isEscaped: true)
  }

  /// The empty piece.
  public static let empty = unescaped("")

  /// Makes an element with its content.
  ///
  /// - Parameters:
  ///   - name: the name, of letters, digits and hyphens, a letter first; other characters are left
  ///     out.
  ///   - attributes: the attributes, in this order.
  ///   - content: the content. A void element such as `input` ignores it. Elements such as `script`
  ///     and `style`, where browsers read no escapes, take only ``unescaped(_:)`` content.
  public static func element(
    _ name: String, _ attributes: [HTMLAttribute] = [],
    @HTMLBuilder content: () -> HTML = { .empty }
  ) -> HTML {
    let name = plainName(name)
    var markup = "<\(name)"
    for attribute in attributes { markup += attribute.markup }
    markup += ">"
    let kind = name.lowercased()
    if voidElements.contains(kind) { return HTML(markup: markup, isEscaped: true) }
    var content = content()
    if content.isEscaped, rawElements.contains(kind) { content = .empty }
    return HTML(markup: markup + content.markup + "</\(name)>", isEscaped: true)
  }

  /// Joins pieces in order.
  public static func joined(_ pieces: some Sequence<HTML>) -> HTML {
    var (markup, isEscaped) = ("", false)
    for piece in pieces {
      markup += piece.markup
      isEscaped = isEscaped || piece.isEscaped
    }
    return HTML(markup: markup, isEscaped: isEscaped)
  }

  /// True when two pieces have equal markup.
  public static func == (left: HTML, right: HTML) -> Bool { left.markup == right.markup }

  /// Hashes the markup.
  public func hash(into hasher: inout Hasher) { hasher.combine(markup) }

  /// A text escaped for an element or a quoted attribute.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    // By scalars: a combining mark must not hide the character that it follows.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // HTML does not allow it, and browsers read it differently.
      case "\0": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A name from its first letter on, without characters that names can't have.
  static func plainName(_ name: String) -> String {
    let plain = name.unicodeScalars.filter {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789-".unicodeScalars.contains($0))
    }.drop { !$0.properties.isAlphabetic }
    return plain.isEmpty ? "x" : String(String.UnicodeScalarView(plain))
  }

  private static let voidElements: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]

  /// The elements in which browsers read no escapes.
  private static let rawElements: Set<String> = [
    "script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext",
  ]
}

/// A result builder that joins pieces of HTML.
@resultBuilder
public enum HTMLBuilder {
  /// Makes a piece of an expression.
  public static func buildExpression(_ piece: HTML) -> HTML { piece }

  /// Joins the pieces of a block.
  public static func buildBlock(_ pieces: HTML...) -> HTML { .joined(pieces) }

  /// Joins the pieces of a loop.
  public static func buildArray(_ pieces: [HTML]) -> HTML { .joined(pieces) }

  /// Makes the piece of an `if` without `else`.
  public static func buildOptional(_ piece: HTML?) -> HTML { piece ?? .empty }

  /// Makes the piece of a first branch.
  public static func buildEither(first piece: HTML) -> HTML { piece }

  /// Makes the piece of a second branch.
  public static func buildEither(second piece: HTML) -> HTML { piece }
}

/// An attribute of an element.
public struct HTMLAttribute: Sendable, Hashable {
  let markup: String

  /// Makes an attribute with a value.
  ///
  /// - Parameters:
  ///   - name: the name. For URLs (`href`, `src`, `action`, `formaction`) use ``address(_:_:)``.
  ///     Scripts (such as `onclick`) and pages (`srcdoc`) are left out.
  ///   - value: the value, which is escaped.
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

  /// Makes a boolean attribute.
  public init(_ name: String, isOn: Bool) {
    markup = isOn ? " \(HTML.plainName(name))" : ""
  }

  /// Makes an attribute, or none without a value.
  public init(_ name: String, _ value: String?) {
    self = value.map { HTMLAttribute(name, $0) } ?? HTMLAttribute(name, isOn: false)
  }

  /// Makes a `class` attribute.
  public static func `class`(_ names: String) -> HTMLAttribute { HTMLAttribute("class", names) }

  /// Makes an `id` attribute.
  public static func id(_ identifier: String) -> HTMLAttribute { HTMLAttribute("id", identifier) }

  /// Makes an attribute with a URL; a URL that would run a script is blocked.
  public static func address(_ name: String, _ address: String) -> HTMLAttribute {
    HTMLAttribute(name, address)
  }

  private static let addressNames: Set<String> = [
    "href", "src", "action", "formaction", "poster", "data", "cite", "ping", "background",
  ]

  /// A URL with a harmless scheme or without one, whatever browsers ignore within a scheme.
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
