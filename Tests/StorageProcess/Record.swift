/// A value that shows when it is not whole.
struct Record: Codable, Sendable, Equatable {
  var number: Int
  var text: String

  init(_ number: Int) {
    self.number = number
    text = String(repeating: "\(number) ", count: 2_000)
  }
}
