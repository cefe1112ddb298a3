#if PostgreSQL
  import FieldstoneDurable

  extension RunID {
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The identifier's 128 bits, in the same order as its text.
    var bytes: [UInt8] {
      var high: UInt64 = 0
      var low: UInt64 = 0
      for character in description.utf8 {
        let digit = UInt64(Self.digits.firstIndex(of: character) ?? 0)
        high = high << 5 | low >> 59
        low = low << 5 | digit
      }
      return [high, low].flatMap { half in
        (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
      }
    }

    /// Nil unless there are 16 bytes.
    init?(bytes: UnsafeRawBufferPointer) {
      guard bytes.count == 16 else { return nil }
      var high: UInt64 = 0
      var low: UInt64 = 0
      for byte in bytes[..<8] { high = high << 8 | UInt64(byte) }
      for byte in bytes[8...] { low = low << 8 | UInt64(byte) }
      var text: [UInt8] = []
      for index in 0..<26 {
        let shift = UInt64(25 - index) * 5
        let group =
          shift >= 64
          ? high >> (shift - 64) : low >> shift | (shift > 59 ? high << (64 - shift) : 0)
        text.append(Self.digits[Int(group & 31)])
      }
      self.init(String(decoding: text, as: UTF8.self))
    }
  }
#endif
