import FieldstoneDurable

extension RunGraph {
  /// The picture as Mermaid draws it.
  var mermaid: String {
    var lines = ["---", "title: \(Self.quoted(title))", "---", "flowchart TD"]
    for (index, box) in boxes.enumerated() {
      let text = [box.name, box.detail].filter { !$0.isEmpty }.map(Self.escaped)
        .joined(separator: "<br/>")
      let mark = box.state.map { ":::\($0.rawValue)" } ?? ""
      lines.append(
        box.state == .completed
          ? "  n\(index)([\"\(text)\"])\(mark)" : "  n\(index)[\"\(text)\"]\(mark)")
    }
    for arrow in arrows {
      let line = arrow.kind == .edited ? "-.->" : "-->"
      lines.append("  n\(arrow.from) \(line)|\"\(Self.escaped(arrow.label))\"| n\(arrow.to)")
    }
    lines += [
      "  classDef completed stroke:#248a3d,stroke-width:2px",
      "  classDef running stroke:#0066cc,stroke-width:2px",
      "  classDef ready stroke:#6e6e73,stroke-width:2px",
      "  classDef dead fill:#d70015,stroke:#8f000e,color:#ffffff,stroke-width:3px",
      "  classDef blocked fill:#ffcc00,stroke:#b25000,color:#1d1d1f,stroke-width:3px",
      "  classDef cancelled stroke:#6e6e73,stroke-dasharray:4 3",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// For a place between quotation marks.
  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\"", "#", "<", ">", "&", "`", ";", "|":
        character.unicodeScalars.map { "#\($0.value);" }.joined()
      default: String(character)
      }
    }.joined()
  }

  /// For the header, which is YAML.
  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
  }
}
