import FieldstoneDurable
import FieldstoneStages

/// A durable stage whose work is what the test says.
struct Scripted: DurableStage, Hashable, ExpressibleByStringLiteral {
  var name: String

  init(_ name: String) { self.name = name }
  init(stringLiteral name: String) { self.init(name) }

  func next(in context: DurableContext<Script>) async throws -> DurableStep<Self, String> {
    try await context.services.next(self, context)
  }
}

/// What scripted stages do.
struct Script: Sendable {
  let next:
    @Sendable (Scripted, DurableContext<Script>) async throws -> DurableStep<Scripted, String>

  init(
    _ next:
      @escaping @Sendable (Scripted, DurableContext<Script>) async throws -> DurableStep<
        Scripted, String
      >
  ) {
    self.next = next
  }
}

/// A plain stage: from a number down to zero.
enum CountingDown: Stage, Codable, Equatable, VersionedFlow {
  case at(Int)

  static let flowName = "counting-down"

  func next() async throws -> Step<Self, String> {
    guard case .at(let number) = self, number > 0 else { return .complete("lift-off") }
    return .advance(to: .at(number - 1))
  }
}

/// A stage with services: adds numbers into a total that is outside.
enum Adding: ContextualStage, Codable, Equatable {
  case add([Int], to: Int)

  func next(in addition: @Sendable (Int, Int) -> Int) async throws -> Step<Self, Int> {
    guard case .add(let numbers, let total) = self, let first = numbers.first else {
      if case .add(_, let total) = self { return .complete(total) }
      return .complete(0)
    }
    return .advance(to: .add(Array(numbers.dropFirst()), to: addition(total, first)))
  }
}
