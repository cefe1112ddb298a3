// snippet: letters-stage
import Fieldstone

enum Newsletter: Stage, Codable {
  case collect(issue: Int)
  case send(issue: Int, to: [String], sent: Int)

  func next() async throws -> Step<Self, Int> {
    switch self {
    case .collect(let issue):
      return .advance(to: .send(issue: issue, to: ["Dan", "Cleo", "Bob", "Ada"], sent: 0))
    case .send(let issue, var readers, let sent):
      guard let reader = readers.popLast() else { return .complete(sent) }
      print("To \(reader)")
      try await Task.sleep(for: .seconds(2))  // time for you to press Control-C
      return .advance(to: .send(issue: issue, to: readers, sent: sent + 1))
    }
  }
}
// end
