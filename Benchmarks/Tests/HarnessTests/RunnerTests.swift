import Harness
import Synchronization
import Testing

@Suite struct RunnerTests {
  @Test("cases run in turns, each first in its turn")
  func turns() async throws {
    let order = Mutex<[String]>([])
    func measured(_ name: String) -> Case {
      Case(name, runs: 1) { order.withLock { $0.append(name) } }
    }
    let group = Group("turns", floor: "a") {
      measured("a")
      measured("b")
      measured("c")
    }
    _ = try await Runner(samples: 15).run(group)
    let ran = order.withLock { $0 }
    #expect(ran.prefix(3) == ["a", "b", "c"], "the warm-up")
    #expect(Array(ran.dropFirst(3).prefix(9)) == ["a", "b", "c", "b", "c", "a", "c", "a", "b"])
    #expect(ran.count == 3 + 45)
  }

  @Test("fewer than 15 samples are raised to 15", arguments: [0, 1, 14, 15])
  func fewestSamples(asked: Int) async throws {
    let group = Group("few", floor: "a") { Case("a", runs: 1) {} }
    let result = try await Runner(samples: asked).run(group)
    #expect(result.rows.map(\.samples.count) == [15])
  }

  @Test("setup runs once a sample and its state is handed through every run of that sample")
  func setup() async throws {
    let seen = Mutex<[Int]>([])
    let group = Group("state", floor: "a") {
      Case("a", runs: 3, setup: { 0 }) { (state: inout Int) in
        state += 1
        seen.withLock { [state] in $0.append(state) }
      }
    }
    _ = try await Runner().run(group)
    #expect(seen.withLock { $0 }.chunks(of: 3).allSatisfy { $0 == [1, 2, 3] })
  }

  @Test("a case on the main actor runs there, another one does not")
  func mainActor() async throws {
    let group = Group("isolation", floor: "off") {
      Case("off", runs: 1) {
        await Task.yield()
        #expect(!isOnMainQueue())
      }
      Case.onMainActor("on", runs: 1, setup: { #expect(isOnMainQueue()) }) { _ in
        #expect(isOnMainQueue())
      }
    }
    let result = try await Runner().run(group)
    #expect(result.rows.count == 2)
  }

  @Test("a group without its floor is an error that names both")
  func missingFloor() async throws {
    let group = Group("g", floor: "f") { Case("a", runs: 1) {} }
    await #expect(throws: HarnessError.noFloor(group: "g", floor: "f")) {
      try await Runner().run(group)
    }
  }

  @Test("two cases of one name are an error")
  func repeatedCase() async throws {
    let group = Group("g", floor: "a") {
      Case("a", runs: 1) {}
      Case("a", runs: 1) {}
    }
    await #expect(throws: HarnessError.repeatedCase(group: "g", name: "a")) {
      try await Runner().run(group)
    }
  }

  @Test("what a body throws ends the run")
  func throwing() async throws {
    struct Broken: Error {}
    let group = Group("g", floor: "a") { Case("a", runs: 1) { throw Broken() } }
    await #expect(throws: Broken.self) { try await Runner().run(group) }
  }

  @Test("a group of bytes tells what an object holds on to")
  func memory() async throws {
    let group = Group("bytes", floor: "small", unit: .bytes) {
      Case.memory("small") { Block(bytes: 64) }
      Case.memory("large") { Block(bytes: 4096) }
    }
    let rows = try await Runner().run(group).rows
    #expect((80...200).contains(rows[0].figure))
    #expect((4096...4300).contains(rows[1].figure))
  }
}

/// An object with a block of heap of its own.
private final class Block {
  let memory: UnsafeMutableRawPointer

  init(bytes: Int) { memory = .allocate(byteCount: bytes, alignment: 16) }

  deinit { memory.deallocate() }
}

extension Array {
  fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
