/// A piece of HTML: elements and texts, each escaped where it stands.
///
/// ```swift
/// let page = HTML.element("p", [.class("note")]) {
///   HTML.text("Fish & chips <today>")
/// }
/// page.markup  // <p class="note">Fish &amp; chips &lt;today&gt;</p>
/// ```
///
/// Whatever text it is given, the markup says that text and nothing else. Only ``unescaped(_:)``
/// takes markup as it is.
public struct HTML: Sendable, Hashable {
  /// The markup.
  public let markup: String

  /// Whether something in it was escaped, and so has to be read where escapes are understood.
  private let isEscaped: Bool

  /// Takes markup as it is: for what is known to be HTML, and never for what people have typed.
  public static func unescaped(_ markup: String) -> HTML {
    HTML(markup: markup, isEscaped: false)
  }

  /// A text.
  public static func text(_ text: String) -> HTML {
    HTML(markup: escaped(text), isEscaped: true)
  }

  /// Nothing.
  public static let empty = unescaped("")

  /// An element with its content.
  ///
  /// - Parameters:
  ///   - name: its name: letters first, then digits and hyphens, too; whatever else is in it is
  ///     left out.
  ///   - attributes: its attributes, in this order.
  ///   - content: what is in it; an element that can't have content, such as `input`, ignores it.
  ///     In `script`, `style` and the like nothing is read as text: there all but ``unescaped(_:)``
  ///     is left out.
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

  /// Pieces one after the other.
  public static func joined(_ pieces: some Sequence<HTML>) -> HTML {
    var (markup, isEscaped) = ("", false)
    for piece in pieces {
      markup += piece.markup
      isEscaped = isEscaped || piece.isEscaped
    }
    return HTML(markup: markup, isEscaped: isEscaped)
  }

  /// Whether two pieces have the same markup.
  public static func == (left: HTML, right: HTML) -> Bool { left.markup == right.markup }

  /// Hashes the markup.
  public func hash(into hasher: inout Hasher) { hasher.combine(markup) }

  /// Text whose signs mean nothing, in an element as in a quoted attribute.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    // By scalars: a combining mark must not hide the sign that it follows.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // No page may hold it, and browsers read it in different ways.
      case "\0": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A name of which only what names are made of is left, from the first letter on.
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

  /// Those in which browsers read no escapes.
  private static let rawElements: Set<String> = [
    "script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext",
  ]
}

/// Puts pieces of HTML one after the other, one a line.
@resultBuilder
public enum HTMLBuilder {
  /// A piece.
  public static func buildExpression(_ piece: HTML) -> HTML { piece }

  /// Several pieces.
  public static func buildBlock(_ pieces: HTML...) -> HTML { .joined(pieces) }

  /// Pieces of a loop.
  public static func buildArray(_ pieces: [HTML]) -> HTML { .joined(pieces) }

  /// A piece that may be left out.
  public static func buildOptional(_ piece: HTML?) -> HTML { piece ?? .empty }

  /// One choice.
  public static func buildEither(first piece: HTML) -> HTML { piece }

  /// The other choice.
  public static func buildEither(second piece: HTML) -> HTML { piece }
}

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
