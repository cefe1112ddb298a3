extension String {
  /// Whether there is nothing but white space.
  var isBlank: Bool {
    // What follows ASCII white space begins a character, so that the first byte of anything else
    // decides, as long as it is ASCII; beyond that, characters do.
    for byte in utf8 {
      if byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
      if byte < 0x80 { return false }
      return allSatisfy(\.isWhitespace)
    }
    return true
  }

  /// Whether bytes alone tell that there are so many characters; false when they do not.
  func surelyHas(_ bounds: CountBounds) -> Bool {
    // There are no more characters than bytes.
    let bytes = utf8
    if let maximum = bounds.maximum, bytes.count > maximum { return false }
    guard let minimum = bounds.minimum, minimum > 0 else { return true }
    if bytes.count < minimum { return false }
    if minimum == 1 { return true }
    // Each byte of ASCII begins a character, but for the second one of a line break.
    var missing = minimum
    for byte in bytes {
      if byte >= 0x80 || byte == 0x0D { return false }
      missing -= 1
      if missing == 0 { return true }
    }
    return false
  }

  /// Whether there are at most so many Unicode scalars; always where the bound is nil.
  func hasScalars(atMost maximum: Int?) -> Bool {
    guard let maximum else { return true }
    // A scalar has one to four bytes.
    let bytes = utf8.count
    if bytes <= maximum { return true }
    return bytes / 4 <= maximum && unicodeScalars.count <= maximum
  }

  /// Whether both are the same scalar by scalar; `==` also takes for equal what only looks it.
  func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
