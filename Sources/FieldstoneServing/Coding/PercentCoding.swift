/// Percent-encoding of addresses and forms, in both directions.
public enum PercentCoding {
  /// Encodes a text as a part of an address: every byte except letters, digits and `-._~`.
  public static func encode(_ text: String) -> String {
    encode(text.utf8, keeping: [])
  }

  /// Encodes what can't stand in a path or in a cookie's `Path`; slashes and percent codes stay.
  package static func encodePath(_ path: String) -> String {
    var encoded = ""
    var rest = Array(path.utf8)[...]
    while let byte = rest.first {
      let isCode = byte == UInt8(ascii: "%") && value(rest.dropFirst().prefix(2)) != nil
      encoded += isCode ? "%" : encode(CollectionOfOne(byte), keeping: pathBytes)
      rest = rest.dropFirst()
    }
    return encoded
  }

  /// The bytes of a path that need no code, except the semicolon, which ends a cookie's `Path`.
  private static let pathBytes = Set("/:@!$&'()*+,=".utf8)

  private static func encode(
    _ bytes: some Sequence<UInt8>, keeping kept: Set<UInt8>
  ) -> String {
    var encoded = ""
    for byte in bytes {
      switch byte {
      case _ where kept.contains(byte): encoded.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        encoded += "%" + hexadecimal(byte >> 4) + hexadecimal(byte & 0xF)
      }
    }
    return encoded
  }

  /// Decodes a part of an address.
  ///
  /// A percent sign that begins no code is kept. Bytes that are not UTF-8 become the replacement
  /// character.
  public static func decode(_ part: some StringProtocol) -> String {
    decode(Array(part.utf8)[...])
  }

  static func decode(_ part: ArraySlice<UInt8>, plusIsBlank: Bool = false) -> String {
    var bytes: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      let code = rest.prefix(2)
      if byte == UInt8(ascii: "%"), let value = value(code) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else if byte == UInt8(ascii: "+"), plusIsBlank {
        bytes.append(UInt8(ascii: " "))
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hexadecimal(_ digit: UInt8) -> String {
    String(digit, radix: 16, uppercase: true)
  }

  private static func value(_ code: ArraySlice<UInt8>) -> UInt8? {
    let digits = code.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return digits.count == 2 ? UInt8(digits[0] * 16 + digits[1]) : nil
  }
}
