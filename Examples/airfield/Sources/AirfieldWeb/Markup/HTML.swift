/// Markup in which text from outside can only stand as text.
///
/// A literal is markup as it is written; a `String` put into one is escaped, and `HTML` put into one
/// is not escaped again. There is no other way to make `HTML` of a string, so that nothing can come
/// out unescaped by being forgotten.
public struct HTML: Sendable, Equatable {
  /// The markup.
  public let markup: String
}

extension HTML: ExpressibleByStringInterpolation {
  /// Makes markup of a literal.
  public init(stringLiteral value: String) {
    markup = value
  }

  /// Makes markup of a literal with values in it.
  public init(stringInterpolation: StringInterpolation) {
    markup = stringInterpolation.markup
  }

  /// The pieces of a literal and the values between them.
  public struct StringInterpolation: StringInterpolationProtocol {
    var markup = ""

    /// Makes an empty one.
    public init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Adds a piece of the literal, as it is.
    public mutating func appendLiteral(_ literal: String) {
      markup += literal
    }

    /// Adds text, escaped for content and for quoted attributes.
    public mutating func appendInterpolation(_ text: String) {
      for scalar in text.unicodeScalars {
        switch scalar {
        case "&": markup += "&amp;"
        case "<": markup += "&lt;"
        case ">": markup += "&gt;"
        case "\"": markup += "&quot;"
        case "'": markup += "&#39;"
        // HTML has no place for these, not even escaped.
        case "\u{0}"..."\u{8}", "\u{B}", "\u{E}"..."\u{1F}", "\u{7F}": markup += "\u{FFFD}"
        default: markup.unicodeScalars.append(scalar)
        }
      }
    }

    /// Adds a number.
    public mutating func appendInterpolation(_ number: Int) {
      markup += String(number)
    }

    /// Adds markup, as it is.
    public mutating func appendInterpolation(_ html: HTML) {
      markup += html.markup
    }

    /// Adds markup, piece after piece.
    public mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { markup += piece.markup }
    }

    /// Adds markup where there is some.
    public mutating func appendInterpolation(_ html: HTML?) {
      if let html { markup += html.markup }
    }
  }
}
