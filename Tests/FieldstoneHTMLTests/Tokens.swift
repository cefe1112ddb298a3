import Testing

/// Markup as a browser reads it: tags, attributes and texts, without any mercy.
///
/// It knows only the forms that our markup has; whatever else it meets is an error.
struct Tokens: Equatable {
  enum Token: Equatable {
    case open(String, [Attribute])
    case close(String)
    case text(String)
  }

  struct Attribute: Equatable {
    let name: String
    let value: String?
  }

  struct Malformed: Error {
    let rest: String
  }

  private(set) var all: [Token] = []

  init(_ markup: String) throws {
    var rest = Array(markup.unicodeScalars)[...]
    while let first = rest.first {
      if first == "<" {
        all.append(try Self.tag(&rest))
      } else {
        let text = rest.prefix { $0 != "<" }
        rest = rest.dropFirst(text.count)
        all.append(.text(try Self.decoded(text)))
      }
    }
  }

  /// The same without what is said: elements with the names of their attributes, one a line.
  var skeleton: [String] {
    all.compactMap { token in
      switch token {
      case .open(let name, let attributes):
        "<\(name) \(attributes.map(\.name).joined(separator: " "))>"
      case .close(let name): "</\(name)>"
      case .text: nil
      }
    }
  }

  /// All that is said: texts, and the values of attributes with their names.
  var texts: [String] {
    all.flatMap { token -> [String] in
      switch token {
      case .open(_, let attributes): attributes.compactMap(\.value)
      case .close: []
      case .text(let text): [text]
      }
    }
  }

  /// The values that attributes of a name have, in order.
  func values(of name: String) -> [String] {
    all.flatMap { token -> [String] in
      guard case .open(_, let attributes) = token else { return [] }
      return attributes.filter { $0.name == name }.compactMap(\.value)
    }
  }

  private static func tag(_ rest: inout ArraySlice<Unicode.Scalar>) throws -> Token {
    rest.removeFirst()
    if rest.first == "/" {
      rest.removeFirst()
      let name = try name(&rest)
      try expect(">", &rest)
      return .close(name)
    }
    let element = try name(&rest)
    var attributes: [Attribute] = []
    while rest.first == " " {
      rest.removeFirst()
      let attribute = try name(&rest)
      var value: String?
      if rest.first == "=" {
        rest.removeFirst()
        try expect("\"", &rest)
        let raw = rest.prefix { $0 != "\"" }
        rest = rest.dropFirst(raw.count)
        try expect("\"", &rest)
        value = try decoded(raw)
      }
      attributes.append(Attribute(name: attribute, value: value))
    }
    try expect(">", &rest)
    return .open(element, attributes)
  }

  private static func name(_ rest: inout ArraySlice<Unicode.Scalar>) throws -> String {
    let name = rest.prefix { "abcdefghijklmnopqrstuvwxyz0123456789-".unicodeScalars.contains($0) }
    guard let first = name.first, first.properties.isAlphabetic else { throw malformed(rest) }
    rest = rest.dropFirst(name.count)
    return string(name)
  }

  private static func expect(
    _ scalar: Unicode.Scalar, _ rest: inout ArraySlice<Unicode.Scalar>
  ) throws {
    guard rest.popFirst() == scalar else { throw malformed(rest) }
  }

  /// What a text or a value says; a sign that should have been escaped is an error.
  private static func decoded(_ raw: ArraySlice<Unicode.Scalar>) throws -> String {
    var raw = raw
    var text = String.UnicodeScalarView()
    while let scalar = raw.popFirst() {
      switch scalar {
      case "<", ">", "\"", "'", "\0": throw malformed(raw)
      case "&":
        let code = raw.prefix { $0 != ";" }
        let signs: [String: Unicode.Scalar] = [
          "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'",
        ]
        guard let sign = signs[string(code)] else { throw malformed(raw) }
        raw = raw.dropFirst(code.count + 1)
        text.append(sign)
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func malformed(_ rest: ArraySlice<Unicode.Scalar>) -> Malformed {
    Malformed(rest: string(rest.prefix(40)))
  }
}
