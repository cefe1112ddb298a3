import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Local changes")
@MainActor
struct LocalChangeTests {
  let provider = HandProvider<Int, [String]>()
  let integrator: Integrator<Int, [String]>

  init() {
    integrator = Integrator(provider: provider, errorHandlers: ErrorHandlers())
  }

  private var shown: [String] { integrator.phase.value ?? [] }

  @Test("An older fetch can't overwrite a change, a newer one brings new data under it")
  func olderFetch() async {
    integrator.receive(["a"])
    let older = integrator.call(1).start()
    let load = await provider.load(0)
    let change = integrator.update { $0.append("mine") }
    #expect(change.isPending)
    #expect(integrator.phase.text == #"loading ["a", "mine"]"#)
    load.events.early(["early"])
    load.succeed(["old"])
    #expect(await older.outcome.value == ["old"])
    #expect(integrator.phase.text == #"loaded ["a", "mine"]"#)
    let newer = integrator.call(1).start()
    await provider.load(1).succeed(["new"])
    _ = await newer.outcome
    #expect(shown == ["new", "mine"])
    change.confirm()
    #expect(shown == ["new", "mine"])
  }

  @Test("Confirming 100,000 changes in their order applies each of them twice in all")
  func confirmsInOrder() {
    integrator.receive([])
    var applied = 0
    let changes = (0..<100_000).map { number in
      integrator.update { value in
        applied += 1
        value = ["\(number)"]
      }
    }
    for change in changes { change.confirm() }
    #expect(applied == 200_000)
    #expect(shown == ["99999"] && !changes.contains(where: \.isPending))
  }

  @Test("A change that is part of the value is released, while later ones are pending")
  func released() {
    integrator.receive([])
    weak var confirmed: Recorder<Int>?
    let changes = (0..<10).map { number in
      let calls = Recorder<Int>()
      if number == 0 { confirmed = calls }
      return integrator.update { value in
        calls.record(number)
        value.append("\(number)")
      }
    }
    #expect(confirmed != nil)
    changes[0].confirm()
    #expect(confirmed == nil)
    #expect(changes.count(where: \.isPending) == 9)
    changes[9].rollBack()
    #expect(shown == (0..<9).map { "\($0)" })
  }

  @Test("A rollback removes just its change and keeps those before and after", arguments: 0..<3)
  func rollback(victim: Int) {
    integrator.receive(["a"])
    let changes = (0..<3).map { number in integrator.update { $0.append("\(number)") } }
    changes[victim].rollBack()
    #expect(shown == ["a"] + (0..<3).filter { $0 != victim }.map { "\($0)" })
    #expect(!changes[victim].isPending)
    changes[victim].rollBack()
    changes[victim].confirm()
    #expect(shown == ["a"] + (0..<3).filter { $0 != victim }.map { "\($0)" })
    for change in changes { change.rollBack() }
    #expect(shown == ["a"])
  }

  @Test("Changes are not applied again while others come and are confirmed")
  func appliedOnce() async {
    integrator.receive(["a"])
    var applications = 0
    let changes = (0..<5).map { number in
      integrator.update { value in
        applications += 1
        value.append("\(number)")
      }
    }
    for change in changes[1..<4] { change.confirm() }
    #expect(applications == 5)
    #expect(shown == ["a", "0", "1", "2", "3", "4"])
    // The oldest and those that were confirmed become part of the value.
    changes[0].confirm()
    #expect(integrator.changeCounts == (pending: 1, confirmed: 0))
    applications = 0
    let call = integrator.call(1).start()
    await provider.load(0).succeed(["b"])
    _ = await call.outcome
    #expect(shown == ["b", "4"] && applications == 1)
    changes[4].rollBack()
    #expect(shown == ["b"])
  }

  @Test("A change can't set the value that it changes, also when it is made again")
  func setsWithin() {
    integrator.receive(["a"])
    var receives = true
    let change = integrator.update { [integrator] value in
      value.append("mine")
      if receives { integrator.receive(["b"]) }
    }
    #expect(shown == ["a", "mine"])
    let other = integrator.update { $0.append("other") }
    change.confirm()
    #expect(shown == ["a", "mine", "other"])
    receives = false
    integrator.receive(["c"])
    #expect(shown == ["c", "other"])
    other.rollBack()
    #expect(shown == ["c"])
  }

  @Test("A confirmed change stays; nothing takes it back, and the later ones can go")
  func confirmed() {
    integrator.receive(["a"])
    let first = integrator.update { $0.append("1") }
    let second = integrator.update { $0.append("2") }
    second.confirm()
    first.rollBack()
    #expect(shown == ["a", "2"])
    second.rollBack()
    #expect(shown == ["a", "2"])
  }

  @Test("A fetch that began before the confirmation can't overwrite it, one after it can")
  func fetchAroundConfirmation() async {
    integrator.receive(["a"])
    let pending = integrator.update { $0.append("still pending") }
    let change = integrator.update { $0.append("mine") }
    let early = integrator.call(1).start()
    let load = await provider.load(0)
    change.confirm()
    load.succeed(["without mine"])
    _ = await early.outcome
    #expect(shown == ["a", "still pending", "mine"])
    let late = integrator.call(1).start()
    await provider.load(1).succeed(["a", "mine"])
    _ = await late.outcome
    #expect(shown == ["a", "mine", "still pending"])
    pending.rollBack()
    #expect(shown == ["a", "mine"])
  }

  @Test("The value received from elsewhere is safe from older fetches, too")
  func received() async {
    let older = integrator.call(1).start()
    let load = await provider.load(0)
    integrator.receive(["mine"])
    load.succeed(["old"])
    _ = await older.outcome
    #expect(integrator.phase.text == #"loaded ["mine"]"#)
  }

  @Test("Without a value there is nothing to change")
  func nothing() {
    let change = integrator.update { $0.append("x") }
    #expect(!change.isPending)
    change.rollBack()
    change.confirm()
    #expect(integrator.phase.text == "idle")
  }

  @Test("A change within a change is ignored")
  func nested() {
    integrator.receive(["a"])
    let integrator = integrator
    let outer = integrator.update {
      $0.append("outer")
      #expect(!integrator.update { $0.append("inner") }.isPending)
    }
    outer.rollBack()
    #expect(shown == ["a"])
  }

  @Test("A change that is shown while an operation runs is confirmed or rolled back with it")
  func whileOperation() async throws {
    integrator.receive(["a"])
    let result = await integrator.update {
      $0.append("b")
    } while: {
      #expect(shown == ["a", "b"])
      return 5
    }
    #expect(result == 5 && shown == ["a", "b"])
    await #expect(throws: Trouble.self) {
      try await integrator.update {
        $0.append("c")
      } while: {
        #expect(shown == ["a", "b", "c"])
        throw Trouble()
      }
    }
    #expect(shown == ["a", "b"])
  }

  @Test("After the integrator is gone a change does nothing")
  func gone() {
    var integrator: Integrator? = Integrator(provider: provider)
    integrator?.receive(["a"])
    let change = integrator!.update { $0.append("b") }
    integrator = nil
    #expect(!change.isPending)
    change.rollBack()
    change.confirm()
  }
}
