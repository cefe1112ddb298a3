import FieldstoneCore
import FieldstoneTesting
import Testing

@testable import FieldstoneFields

@Suite("Validation against a model of what it promises")
@MainActor struct ValidationPropertyTests {
  struct TakenBack: Error {}

  /// Somebody far away who answers when the test says so, and heeds no cancellation.
  final class Oracle: Sendable {
    let gates = Recorder<Gate>()

    func isEven(_ value: Int) async -> Bool {
      let gate = Gate()
      gates.record(gate)
      await gate.wait()
      return value % 2 == 0
    }
  }

  /// Real fields and the model, moved together.
  @MainActor final class Pair {
    let fields: [Field<Int>]
    let oracle = Oracle()
    var model = ModelValidation()
    var heard: [[ValidationState]]
    var registrations: [Registration] = []
    var waiting: [Int: (value: Int, task: Task<Void, Never>)] = [:]

    /// What was done, for whoever has to read a failure.
    var story: [String] = []

    init() {
      let (a, b, c) = (Field<Int>("a"), Field<Int>("b"), Field<Int>("c"))
      a.require(.notNil).require(.atLeast(0))
      b.require(.atLeast(0)).require(
        .depending(on: a, code: "order") { value, other in other.map { value >= $0 } ?? true })
      c.require(.depending(on: b, code: "same") { $0 != $1 }).require(
        .asynchronous(code: "odd") { [oracle] in await oracle.isEven($0) })
      fields = [a, b, c]
      heard = fields.map { _ in [] }
      for (index, field) in fields.enumerated() {
        registrations.append(
          field.observeValidation { [unowned self] in heard[index].append($0) })
      }
    }

    func act(using random: inout SeededGenerator) async {
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<3: await ask()
      case 3..<6:
        guard let question = waiting.keys.sorted().randomElement(using: &random) else { return }
        await answer(question)
      case 6:
        guard let question = waiting.keys.sorted().randomElement(using: &random) else { return }
        await cancel(question)
      default: change(using: &random, depth: 0)
      }
    }

    private func change(using random: inout SeededGenerator, depth: Int) {
      let index = Int.random(in: 0..<fields.count, using: &random)
      switch Int.random(in: 0..<17, using: &random) {
      case 0..<6:
        let number = Int.random(in: -3..<5, using: &random)
        let value = number == -3 ? nil : number
        story.append("set \(index) to \(value.map(String.init) ?? "nil")")
        fields[index].value = value
        model.set(index, to: value)
      case 6..<9:
        story.append("validate \(index)")
        fields[index].validate()
        model.validate(index)
      case 9..<11:
        story.append("is \(index) valid")
        _ = fields[index].isValid
        model.askWhetherValid(index)
      case 11:
        story.append("add to \(index)")
        fields[index].addIssue(FieldIssue(code: "added"))
        model.add("added", to: index)
      case 12:
        story.append("remove from \(index)")
        fields[index].removeIssues()
        model.removeAdded(from: index)
      case 13..<15 where depth < 3:
        story.append("batch {")
        model.openBatch()
        Fields.batch { several(using: &random, depth: depth) }
        model.closeBatch()
        story.append("}")
      case 15... where depth < 3:
        let isTakenBack = Bool.random(using: &random)
        story.append("transaction {")
        model.openBatch()
        try? Fields.transaction {
          several(using: &random, depth: depth)
          if isTakenBack { throw TakenBack() }
        }
        if isTakenBack { model.takeBackBatch() } else { model.closeBatch() }
        story.append(isTakenBack ? "} taken back" : "}")
      default: break
      }
    }

    private func several(using random: inout SeededGenerator, depth: Int) {
      for _ in 0..<Int.random(in: 0..<5, using: &random) {
        change(using: &random, depth: depth + 1)
        if !agrees { story.append("← here") }
      }
    }

    private func ask() async {
      story.append("ask")
      let value = fields[2].value
      guard let question = model.ask(), let value else {
        if model.state(of: 2) != .validating { _ = fields[2].beginAsyncRules(isDebounced: false) }
        return
      }
      guard let pending = fields[2].beginAsyncRules(isDebounced: false) else {
        story.append("nothing to ask")
        return
      }
      let field = fields[2]
      waiting[question] = (value, Task { await field.wait(for: pending) })
      await oracle.gates.elements(atLeast: question + 1)
    }

    private func answer(_ question: Int) async {
      guard let (value, task) = waiting.removeValue(forKey: question) else { return }
      story.append("answer \(question)")
      oracle.gates.elements[question].open()
      await task.value
      model.answer(question, isEven: value % 2 == 0)
    }

    private func cancel(_ question: Int) async {
      guard let (_, task) = waiting.removeValue(forKey: question) else { return }
      story.append("cancel \(question)")
      task.cancel()
      await task.value
      model.cancel(question)
      oracle.gates.elements[question].open()
    }

    func end() async {
      for question in waiting.keys.sorted() { await answer(question) }
    }

    var agrees: Bool {
      fields.indices.allSatisfy { Self.state(fields[$0].validationState) == model.state(of: $0) }
    }

    /// Whoever listens knows the state, and never heard the same one twice in a row.
    var isTold: Bool {
      fields.indices.allSatisfy { index in
        let heard = heard[index]
        return (heard.last ?? .unknown) == fields[index].validationState
          && zip(heard, heard.dropFirst()).allSatisfy { $0 != $1 }
      }
    }

    private static func state(_ state: ValidationState) -> ModelValidation.State {
      switch state {
      case .unknown: .unknown
      case .validating: .validating
      case .valid: .valid
      case .invalid(let issues): .invalid(issues.map(\.code))
      }
    }
  }

  @Test(
    "Random sets, validations, answers, batches and transactions",
    arguments: 0..<12)
  func sequences(block: Int) async {
    for seed in UInt64(block * 1_000)..<UInt64(block * 1_000 + Rounds.of(1_000)) {
      var random = SeededGenerator(seed: seed)
      let pair = Pair()
      for step in 0..<25 {
        await pair.act(using: &random)
        guard pair.agrees, pair.isTold else {
          Issue.record(
            """
            seed \(seed), step \(step): \(pair.fields.map(\.validationState)), the model says \
            \((0..<3).map(pair.model.state)); told: \(pair.isTold)
            \(pair.story.joined(separator: "; "))
            """)
          return
        }
      }
      await pair.end()
      #expect(pair.agrees && pair.isTold, "seed \(seed), at the end")
    }
  }
}
