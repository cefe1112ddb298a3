// snippet: letters-stage
import Fieldstone
import Foundation

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
      let soon = Date.now + 2  // time for you to press Control-C
      return .wait(until: soon, then: .send(issue: issue, to: readers, sent: sent + 1))
    }
  }
}
// end
