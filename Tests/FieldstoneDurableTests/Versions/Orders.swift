import FieldstoneDurable
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

/// A flow that has come to its third version.
enum Orders {
  enum First: Stage, Codable {
    case pay(amount: Int)
    case ship

    func next() async throws -> Step<Self, String> { .complete("first") }
  }

  enum Second: Stage, Codable {
    case pay(amount: Int, currency: String)
    case send

    func next() async throws -> Step<Self, String> { .complete("second") }
  }

  // snippet: versions-flow
  enum Order: Stage, Codable, Equatable, VersionedFlow {
    static let flowName = "order"
    static let flowVersion = 3  // 2: a currency, and ship is called send; 3: refunds

    case pay(amount: Int, currency: String)
    case send
    case refund(reason: String?)

    /// Version 1 knew one currency.
    struct FirstPay: Decodable { var amount: Int }

    @Sendable static func migrated(version: Int, caseName: String?, json: Data) throws -> Order {
      switch (version, caseName) {
      case (1, "pay"):
        .pay(amount: try StageJSON.caseValues(FirstPay.self, of: json).amount, currency: "ISK")
      case (1, "ship"): .send
      default: try StageJSON.value(from: json)  // what has not changed
      }
    }

    func next() async throws -> Step<Self, String> {
      switch self {
      case .pay(let amount, let currency): .complete("\(amount) \(currency)")
      case .send: .complete("sent")
      case .refund: .complete("refunded")
      }
    }
  }
  // end

  static let first = DurableFlow(First.self, name: "order", version: 1)
  static let second = DurableFlow(
    Second.self, name: "order", version: 2,
    options: FlowOptions(migration: { _, name, json in
      guard name == "pay" else { return .send }
      return .pay(
        amount: try StageJSON.caseValues(Order.FirstPay.self, of: json).amount, currency: "EUR")
    }))
  // snippet: versions-registration
  static let flow = DurableFlow(Order.self, options: FlowOptions(migration: Order.migrated))
  // end

  static let samples: [Order] = [
    .pay(amount: 3, currency: "EUR"), .send, .refund(reason: "too late"),
  ]
}
