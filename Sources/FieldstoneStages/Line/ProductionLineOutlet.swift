import FieldstoneCore

/// Puts the outcomes of a line in the order that one consumer asked for.
struct ProductionLineOutlet<Completion: Sendable> {
  /// Held weakly: a consumer that is gone needs no results.
  private(set) weak var mailbox: Mailbox<Outcome<Completion>>?
  private let order: ProductionLineOrder
  private let firstNumber: Int
  private var nextNumber: Int
  private var held: [Int: Outcome<Completion>] = [:]

  init(
    mailbox: Mailbox<Outcome<Completion>>, order: ProductionLineOrder, firstNumber: Int
  ) {
    self.mailbox = mailbox
    self.order = order
    self.firstNumber = firstNumber
    self.nextNumber = firstNumber
  }

  /// Takes an outcome, and gives those whose turn it is now.
  mutating func take(_ outcome: Outcome<Completion>, of number: Int) -> [Outcome<Completion>] {
    if number < firstNumber { return [] }
    guard order == .input else { return [outcome] }
    held[number] = outcome
    var ready: [Outcome<Completion>] = []
    while let outcome = held.removeValue(forKey: nextNumber) {
      ready.append(outcome)
      nextNumber += 1
    }
    return ready
  }
}
