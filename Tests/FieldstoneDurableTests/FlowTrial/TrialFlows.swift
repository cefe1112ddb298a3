import FieldstoneCore
import FieldstoneDurable
import FieldstoneStages
import FieldstoneTesting
import Foundation

/// What outlives the processes of a trial in these tests: a list of what was done, and a clock.
struct Ledger: Sendable {
  let time: TimeSource
  private let entries = Recorder<String>()

  init(_ time: TimeSource) { self.time = time }

  var lines: [String] { entries.elements }

  func note(_ line: String) { entries.record(line) }
}

/// A flow with a wait, a signal and several ends.
enum Bill: DurableStage, VersionedFlow {
  static let flowName = "bill"

  case write(cents: Int)
  case charge(cents: Int)
  case rest(cents: Int)
  case decided(cents: Int)

  func next(in context: DurableContext<Ledger>) async throws -> DurableStep<Self, String> {
    switch self {
    case .write(let cents):
      return .wait(until: context.now.addingTimeInterval(30 * 86_400), then: .charge(cents: cents))
    case .charge(let cents):
      context.services.note("charge \(cents)")
      return .advance(to: .rest(cents: cents))
    case .rest(let cents):
      let end = context.now.addingTimeInterval(86_400)
      return .receive("approval", until: end, then: .decided(cents: cents))
    case .decided(let cents):
      guard let word = try context.signal(as: String.self) else { return .complete("too late") }
      context.services.note("\(word) by \(context.idempotencyKey)")
      return .complete("\(word) \(cents)")
    }
  }
}

/// A flow without an end.
enum Circle: Stage, Codable, VersionedFlow {
  static let flowName = "circle"

  case around

  func next() async throws -> Step<Self, Int> { .advance(to: .around) }
}

/// A flow whose only stage fails.
enum Doomed: Stage, Codable, VersionedFlow {
  static let flowName = "doomed"

  case only

  func next() async throws -> Step<Self, Int> { throw MessageError("no") }
}

/// A flow that waits for what never comes.
enum Forlorn: DurableStage, VersionedFlow {
  static let flowName = "forlorn"

  case beginning
  case hopeful
  case over

  func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
    switch self {
    case .beginning: .advance(to: .hopeful)
    case .hopeful: .receive("ship", then: .over)
    case .over: .complete(1)
    }
  }
}

/// Children that sleep by the trial's clock, and a sum of what they say.
enum Family: DurableStage, VersionedFlow {
  static let flowName = "family"

  case split([Int])
  case sum

  func next(in context: DurableContext<Ledger>) async throws -> DurableStep<Self, Int> {
    switch self {
    case .split(let seconds):
      return .join(try seconds.map { try context.child(Child.work($0)) }, then: .sum)
    case .sum:
      var total = 0
      for try await child in context.children { total += try child.value(as: Int.self) }
      return .complete(total)
    }
  }

  enum Child: DurableStage, VersionedFlow {
    static let flowName = "child"

    case work(Int)

    func next(in context: DurableContext<Ledger>) async throws -> DurableStep<Self, Int> {
      guard case .work(let seconds) = self else { return .complete(0) }
      let ledger = context.services
      ledger.note("\(seconds) begins")
      try await ledger.time.sleep(for: .seconds(seconds))
      ledger.note("\(seconds) ends")
      return .complete(seconds)
    }
  }

  static func flows(_ ledger: Ledger) -> [DurableFlow] {
    [DurableFlow(Family.self, services: ledger), DurableFlow(Child.self, services: ledger)]
  }
}

/// A flow that keeps something in its state that its JSON does not have.
struct Forgetful: Stage, Codable, VersionedFlow {
  static let flowName = "forgetful"

  var number = 0
  var word = "unset"

  enum CodingKeys: String, CodingKey { case number }

  func next() async throws -> Step<Self, String> {
    number == 0 ? .advance(to: Self(number: 1, word: "kept")) : .complete(word)
  }
}

/// A flow whose second stage is written as what can't be read.
struct Illegible: Stage, Codable, VersionedFlow {
  static let flowName = "illegible"

  var number = 0

  init(number: Int) { self.number = number }

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
    guard number == 0 else { throw MessageError("only zero can be read") }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }

  func next() async throws -> Step<Self, Int> {
    number == 0 ? .advance(to: Self(number: 1)) : .complete(7)
  }
}

/// A flow whose completion is written in another order once its first stage was repeated.
enum Gathering: DurableStage, VersionedFlow {
  static let flowName = "gathering"

  case gather
  case end

  /// Equal in any order, like a set, which is written in an order of chance.
  struct Words: Codable, Sendable, Equatable {
    var words: [String]

    static func == (left: Self, right: Self) -> Bool { left.words.sorted() == right.words.sorted() }
  }

  func next(in context: DurableContext<Ledger>) async throws -> DurableStep<Self, Words> {
    switch self {
    case .gather:
      context.services.note("gather")
      return .advance(to: .end)
    case .end:
      let words = ["a", "b"]
      return .complete(Words(words: context.services.lines.count > 1 ? words.reversed() : words))
    }
  }
}
