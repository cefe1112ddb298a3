#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  extension RedactionRule {
    /// JSON text in which dots replace the values of members with redacted names.
    ///
    /// All other bytes stay, so numbers are exact. Bytes that are not JSON are searched for members
    /// in the same way. JSON within a string is not looked into.
    ///
    /// O(n) in the number of bytes.
    func redacted(_ payload: Data) -> Data { RedactedJSON(payload, self).data }

    /// The name of a stage: its case's name, or the beginning of its text.
    func name(of payload: Data) -> String { StageText.name(of: payload, redacted: redacted) }

    /// A text of the journal's audit log, in which a long stage is a string.
    func redactedAudit(_ value: Data) -> Data {
      let scan = JSONScan(Array(redacted(value)))
      var bytes: [UInt8] = []
      var end = 0
      for (token, place) in scan.tokens.enumerated() {
        guard let text = scan.string(token), text.contains(":") else { continue }
        let inner = redacted(Data(text.utf8))
        guard inner != Data(text.utf8),
          let quoted = try? JSONEncoder().encode(String(decoding: inner, as: UTF8.self))
        else { continue }
        bytes += scan.bytes[end..<place.lowerBound] + quoted
        end = place.upperBound
      }
      return Data(bytes + scan.bytes[end...])
    }
  }

  /// JSON text without the values of members with redacted names.
  struct RedactedJSON {
    /// The text, with a string of dots in place of each hidden value.
    private(set) var data: Data
    /// The hidden values, in order.
    private(set) var hidden: [Data]

    static let dots = "•••"

    /// Hides values of a payload.
    ///
    /// - Parameters:
    ///   - payload: the JSON text.
    ///   - rule: the names of the members.
    ///   - isNumbered: whether the dots have the number of their value, for a form.
    init(_ payload: Data, _ rule: RedactionRule, isNumbered: Bool = false) {
      let scan = JSONScan(Array(payload))
      let places = scan.hiddenValues(rule)
      hidden = places.map { Data(scan.bytes(of: $0)) }
      guard !places.isEmpty else {
        data = payload
        return
      }
      data = scan.replacing(places) { number in
        Array("\"\(Self.dots)\(isNumbered ? "\(number + 1)" : "")\"".utf8)
      }
    }

    /// An edited text with the hidden values of the original in place of their dots.
    ///
    /// Dots keep their value wherever the member is moved, so an array can be reordered. Dots that
    /// stand for no value, and numbered dots in a member that would be shown, are refused: dots are
    /// never written, and a hidden value never becomes visible.
    ///
    /// - Returns: nil for dots that can't be replaced.
    static func restored(_ edited: Data, from hidden: [Data], _ rule: RedactionRule) -> Data? {
      let scan = JSONScan(Array(edited))
      let places = scan.hiddenValues(rule)
      var values: [Data] = []
      var replaced: [Range<Int>] = []
      var open = places[...]
      for token in scan.tokens.indices {
        while let place = open.first, place.upperBound <= token { open.removeFirst() }
        guard scan.byte(token) == UInt8(ascii: "\""), let text = scan.string(token),
          text.hasPrefix(dots)
        else { continue }
        let typed = Int(text.dropFirst(dots.count))
        let number = typed.flatMap { $0 >= 1 && $0 <= hidden.count ? $0 : nil }
        if open.first == token..<token + 1 {
          guard let number else {
            if text == dots || typed != nil { return nil }
            continue
          }
          replaced.append(token..<token + 1)
          values.append(hidden[number - 1])
        } else if number != nil {
          return nil
        }
      }
      return scan.replacing(replaced) { Array(values[$0]) }
    }
  }

  extension JSONScan {
    /// The text with other bytes in place of some tokens.
    fileprivate func replacing(_ places: [Range<Int>], by make: (Int) -> [UInt8]) -> Data {
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var end = 0
      for (number, place) in places.enumerated() {
        result += bytes[end..<tokens[place.lowerBound].lowerBound]
        result += make(number)
        end = tokens[place.upperBound - 1].upperBound
      }
      return Data(result + bytes[end...])
    }
  }
#endif
