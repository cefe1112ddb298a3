/// The page that an address asks for.
public struct PageNumber: Sendable, Equatable {
  /// The number to show, from 1.
  public let number: Int

  /// What was asked for where it is no number of a page.
  public let malformed: String?

  /// Makes the number of a page.
  public init(_ number: Int) {
    self.number = max(1, number)
    malformed = nil
  }

  /// Reads what stands in an address: digits alone, and not zero; anything else gives page 1.
  public init(_ text: String?) {
    let digits = text ?? "1"
    let isNumber = digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    if isNumber, let number = Int(digits.prefix(18)), number > 0 {
      self.number = number
      malformed = nil
    } else {
      number = 1
      malformed = digits
    }
  }
}
