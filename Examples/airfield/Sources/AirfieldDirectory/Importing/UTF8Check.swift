/// Tells whether bytes that arrive in chunks are UTF-8.
struct UTF8Check {
  /// The line of the first byte that is not UTF-8, once there is one.
  private(set) var line = 1

  private var held: [UInt8] = []

  /// Takes the next bytes; false where they can't be UTF-8.
  mutating func take(_ chunk: [UInt8]) -> Bool {
    let bytes = held + chunk
    let end = bytes.count - unfinishedCount(bytes)
    guard isValid(bytes[..<end]) else { return false }
    held = Array(bytes[end...])
    return true
  }

  /// Says that the file ends here; false where that is in the middle of a character.
  func finish() -> Bool { held.isEmpty }

  private mutating func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      var iterator = bytes.makeIterator()
      var parser = Unicode.UTF8.ForwardParser()
      while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
        if scalar.first == UInt8(ascii: "\n") { line += 1 }
      }
      return false
    }
    line += bytes.count { $0 == UInt8(ascii: "\n") }
    return true
  }

  /// How many bytes at the end begin a character whose rest may come with the next chunk.
  private func unfinishedCount(_ bytes: [UInt8]) -> Int {
    for (distance, byte) in bytes.suffix(3).reversed().enumerated() {
      switch byte {
      case 0x80...0xBF: continue
      case 0xC2...0xDF: return distance < 1 ? distance + 1 : 0
      case 0xE0...0xEF: return distance < 2 ? distance + 1 : 0
      case 0xF0...0xF4: return distance + 1
      default: return 0
      }
    }
    return 0
  }
}
