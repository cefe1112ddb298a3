import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Providers in a group")
struct GroupTests {
  private let names = ManualProvider<String, String>()
  private let ages = ManualProvider<Int, Int>()
  private let stubborn = ManualProvider<Int, Int>(heedsCancellation: false)

  @Test("Outputs come in the order of the parameters, whoever ends first")
  func order() async throws {
    let group = GroupProvider(names, ages)
    let task = Task { try await group.load(("a", 2), reporting: LoadEvents()) }
    let (name, age) = await (names.load(at: 0), ages.load(at: 0))
    #expect(name.parameters == "a")
    #expect(age.parameters == 2)
    age.succeed(36)
    name.succeed("Ada")
    let output = try await task.value
    #expect(output == ("Ada", 36))
  }

  @Test("Other combinators apply to a group where it is made")
  func chained() async throws {
    let texts = GroupProvider(ValueProvider<Int, String>("a"), ValueProvider<Int, Int>(1))
      .map { "\($0.0)\($0.1)" }
      .convertingParameters { (id: Int) in (id, id) }
    #expect(try await texts.load(1, reporting: LoadEvents()) == "a1")
    let numbers = GroupProvider(ValueProvider<Int, Int>(1), ValueProvider<Int, Int>(2))
      .then(ClosureProvider { (pair: (Int, Int)) in pair.0 + pair.1 })
      .cached(freshFor: .zero) { $0.0 }
    #expect(try await numbers.load((1, 2), reporting: LoadEvents()) == 3)
  }

  @Test("One can be told the same as all the others")
  func sameParameters() async throws {
    let group = GroupProvider(ValueProvider<Int, String>("Ada"), ages, ages)
      .convertingParameters { (id: Int) in (id, id, id) }
    let task = Task { try await group.load(9, reporting: LoadEvents()) }
    for index in 0..<2 {
      let load = await ages.load(at: index)
      #expect(load.parameters == 9)
      load.succeed(36)
    }
    let output = try await task.value
    #expect(output == ("Ada", 36, 36))
  }

  @Test("The first failure fails it and cancels the rest; nobody waits for the uncooperative")
  func failure() async {
    let group = GroupProvider(names, ages, stubborn)
    let task = Task { try await group.load(("a", 2, 3), reporting: LoadEvents()) }
    let name = await names.load(at: 0)
    let (age, other) = await (ages.load(at: 0), stubborn.load(at: 0))
    age.fail(Failure.broken)
    await #expect(throws: Failure.broken) { try await task.value }
    await name.cancelled()
    await other.cancelled()
    other.succeed(1)
  }

  @Test("Cancelling outside cancels every child, and ends at once")
  func cancelled() async {
    let group = GroupProvider(names, ages, stubborn)
    let task = Task { try await group.load(("a", 2, 3), reporting: LoadEvents()) }
    let name = await names.load(at: 0)
    let (age, other) = await (ages.load(at: 0), stubborn.load(at: 0))
    task.cancel()
    #expect(name.isCancelled)
    #expect(age.isCancelled)
    #expect(other.isCancelled)
    await #expect(throws: CancellationError.self) { try await task.value }
    other.succeed(1)
  }

  @Test("A child that was cancelled by itself cancels the group")
  func childCancelled() async {
    let task = Task {
      try await GroupProvider(names, ages).load(("a", 2), reporting: LoadEvents())
    }
    let name = await names.load(at: 0)
    let age = await ages.load(at: 0)
    age.fail(CallCancelled(.superseded))
    await #expect(throws: CallCancelled(.superseded)) { try await task.value }
    await name.cancelled()
  }

  @Test("Progress is the mean, with an ended provider as one; early values come once all have one")
  func reports() async throws {
    let heard = Recorder<String>()
    let events = LoadEvents<(String, Int)>(
      onProgress: { heard.record("\($0)") }, onEarlyValue: { heard.record("\($0) \($1)") })
    let task = Task { try await GroupProvider(names, ages).load(("a", 2), reporting: events) }
    let (name, age) = await (names.load(at: 0), ages.load(at: 0))
    name.events.progress(.indeterminate)
    name.events.progress(.fraction(0.5))
    age.events.progress(.fraction(0.25))
    name.events.early("A")
    age.events.early(1)
    name.events.early("Ad")
    name.succeed("Ada")
    // The one that ended is heard before anything that is reported once its task has gone.
    await heard.elements(atLeast: 7)
    // It has ended: these are dropped, and replace no output.
    name.events.early("late")
    name.events.progress(.fraction(0.1))
    age.events.early(2)
    age.succeed(36)
    let output = try await task.value
    #expect(output == ("Ada", 36))
    #expect(
      heard.elements == [
        "indeterminate", "fraction(0.25)", "fraction(0.375)", "A 1", "Ad 1", "fraction(0.625)",
        "Ada 1", "Ada 2",
      ])
  }

  @Test("One provider is a group, and so is none")
  func small() async throws {
    let one = GroupProvider(ValueProvider<Int, String>("a"))
    #expect(try await one.load(1, reporting: LoadEvents()) == "a")
    let none: () = try await GroupProvider().load((), reporting: LoadEvents())
    #expect(none == ())
  }

  @Test("Nothing is heard after the end")
  func late() async throws {
    let heard = Recorder<String>()
    let events = LoadEvents<(Int, Int)>(onEarlyValue: { heard.record("\($0) \($1)") })
    let task = Task { try await GroupProvider(ages, stubborn).load((1, 2), reporting: events) }
    let (age, other) = await (ages.load(at: 0), stubborn.load(at: 0))
    age.events.early(1)
    other.events.early(2)
    age.fail(Failure.broken)
    await #expect(throws: Failure.broken) { try await task.value }
    other.events.early(3)
    other.succeed(4)
    #expect(heard.elements == ["1 2"])
  }
}
