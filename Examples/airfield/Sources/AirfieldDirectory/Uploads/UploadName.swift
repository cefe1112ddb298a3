/// What a file is called by whoever gives it, made fit to be shown; it never becomes a path.
public enum UploadName {
  /// The last part of what may be a path of any system: on one line and not long.
  public static func shown(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let scalars = last.unicodeScalars.filter { $0.properties.generalCategory != .control }
    var text = String(String.UnicodeScalarView(scalars))
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text.isEmpty || text.allSatisfy { $0 == "." } ? "a file" : String(text.prefix(100))
  }
}
