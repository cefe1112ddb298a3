import FieldstoneCore
import FieldstoneTesting
import Foundation
import Testing

@Suite("Dispatch to the main actor")
struct MainDispatchTests {
  struct Trouble: Error {}

  @Test("On the main actor it runs in place")
  @MainActor func inPlace() throws {
    #expect(MainDispatch.isOnMain)
    var steps: [Int] = [1]
    #expect(MainDispatch.sync { steps.append(2) } == ())
    steps.append(3)
    #expect(steps == [1, 2, 3])
    #expect(MainDispatch.sync { MainDispatch.sync { 7 } } == 7)
    #expect(throws: Trouble.self) { try MainDispatch.sync { throw Trouble() } }
  }

  @Test("Within another queue of the main actor it runs in place, too")
  @MainActor func withinAnotherQueue() {
    let outer = DispatchQueue(label: "outer")
    let inner = DispatchQueue(label: "inner")
    var steps: [Int] = []
    outer.sync { MainDispatch.sync { steps.append(1) } }
    outer.sync { inner.sync { MainDispatch.sync { steps.append(2) } } }
    #expect(steps == [1, 2])
  }

  @Test("From another thread it waits for the main actor")
  func fromAnotherThread() async {
    let seen = Recorder<String>()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        seen.record("before \(MainDispatch.isOnMain)")
        let isOnMain = MainDispatch.sync { MainDispatch.isOnMain }
        seen.record("inside \(isOnMain)")
        do {
          try MainDispatch.sync { throw Trouble() }
        } catch {
          seen.record("\(type(of: error))")
        }
        continuation.resume()
      }
    }
    #expect(seen.elements == ["before false", "inside true", "Trouble"])
  }

  @Test("In place on the main actor, and later from another thread")
  @MainActor func inPlaceOrLater() async {
    let seen = Recorder<Int>()
    MainDispatch.inPlaceOrLater { seen.record(1) }
    #expect(seen.elements == [1])
    await Task.detached {
      MainDispatch.inPlaceOrLater { seen.record(MainDispatch.isOnMain ? 2 : -2) }
    }.value
    #expect(await seen.elements(atLeast: 2) == [1, 2])
  }

  @Test("Later on the main actor, in the order of the calls")
  @MainActor func later() async {
    let seen = Recorder<Int>()
    for number in 1...3 { MainDispatch.async { seen.record(number) } }
    #expect(seen.elements == [])
    #expect(await seen.elements(atLeast: 3) == [1, 2, 3])
  }

  @Test("Within another queue of its own bodies it runs in place, too")
  func withinAnotherQueueOfBodies() async {
    let queue = DispatchQueue(label: "other")
    let seen = Recorder<Int>()
    MainDispatch.async {
      queue.sync { MainDispatch.sync { seen.record(1) } }
    }
    #expect(await seen.elements(atLeast: 1) == [1])
    await Task.detached {
      MainDispatch.sync {
        queue.sync { MainDispatch.sync { seen.record(2) } }
        MainDispatch.sync { seen.record(3) }
        queue.sync { MainDispatch.sync { seen.record(4) } }
      }
      MainDispatch.sync { seen.record(MainDispatch.isOnMain ? 5 : -5) }
    }.value
    #expect(seen.elements == [1, 2, 3, 4, 5])
  }
}
