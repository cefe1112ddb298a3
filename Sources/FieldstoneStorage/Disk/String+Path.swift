// By bytes, as the system reads paths: in a name that begins with a combining mark, the mark and the
// slash before it are one character.
extension String {
  /// The parts of a path between its slashes, without empty ones; O(n).
  var pathParts: [String] {
    utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  /// Whether a path begins with a slash.
  var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }
}
