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

  /// Takes markup as it is: for what is known to be HTML, and never for what people have typed.
  public static func unescaped(_ markup: String) -> HTML {
    HTML(markup: markup)
  }

  /// A text.
  public static func text(_ text: String) -> HTML {
    HTML(markup: escaped(text))
  }

  /// Nothing.
  public static let empty = HTML(markup: "")

  /// An element with its content.
  ///
  /// - Parameters:
  ///   - name: its name, letters, digits and hyphens; whatever else is in it is left out.
  ///   - attributes: its attributes, in this order.
  ///   - content: what is in it; an element that can't have content, such as `input`, ignores it.
  public static func element(
    _ name: String, _ attributes: [HTMLAttribute] = [],
    @HTMLBuilder content: () -> HTML = { .empty }
  ) -> HTML {
    let name = plainName(name)
    var markup = "<\(name)"
    for attribute in attributes { markup += attribute.markup }
    markup += ">"
    if voidElements.contains(name) { return HTML(markup: markup) }
    return HTML(markup: markup + content().markup + "</\(name)>")
  }

  /// Pieces one after the other.
  public static func joined(_ pieces: some Sequence<HTML>) -> HTML {
    HTML(markup: pieces.map(\.markup).joined())
  }

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

  /// A name of which only what names are made of is left.
  static func plainName(_ name: String) -> String {
    let plain = name.unicodeScalars.filter {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789-".unicodeScalars.contains($0))
    }
    return plain.isEmpty ? "x" : String(String.UnicodeScalarView(plain))
  }

  private static let voidElements: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
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
