import FieldstoneCore
import FieldstoneTesting
import Foundation
import Synchronization
import Testing

@Suite("Multicast: registrations that end on another thread")
struct MulticastThreadTests {
  /// What a callback captures; notes on which thread it went.
  private final class Confined {
    private let home = Thread.current
    private let strays: Recorder<String>

    init(strays: Recorder<String>) { self.strays = strays }

    deinit {
      if Thread.current !== home { strays.record("released on \(Thread.current)") }
    }

    func touch() {
      if Thread.current !== home { strays.record("called on \(Thread.current)") }
    }
  }

  @Test("The last token is released elsewhere while the multicast delivers, 5,000 times")
  func releasedElsewhere() {
    let multicast = Multicast<() -> Void>()
    let strays = Recorder<String>()
    let belt = Belt<[Registration]>()
    let worker = Crew(1) { _ in
      while var tokens = belt.next() {
        // Released one by one, here, while the other thread delivers.
        while tokens.popLast() != nil {}
        belt.confirm()
      }
    }
    for round in 1...5_000 {
      belt.send(
        (0..<4).map { _ in
          let confined = Confined(strays: strays)
          return multicast.add { confined.touch() }
        })
      while belt.confirmed < round { multicast.invokeEach { $0() } }
      // Whoever knows that a token is gone is not called through it.
      multicast.invokeEach { _ in strays.record("called after its end in round \(round)") }
    }
    belt.close()
    worker.wait()
    #expect(multicast.count == 0)
    #expect(strays.elements.first == nil)
  }

  @Test("Tokens end on many threads at once, each of them once")
  func manyThreads() {
    let multicast = Multicast<() -> Void>()
    let strays = Recorder<String>()
    let kept = multicast.add {}
    for _ in 0..<200 {
      let tokens = (0..<32).map { _ in
        let confined = Confined(strays: strays)
        return multicast.add { confined.touch() }
      }
      // All of them cancel all.
      let workers = Crew(4) { _ in for token in tokens { token.cancel() } }
      multicast.invokeEach { $0() }
      workers.wait()
      #expect(multicast.count == 1)
    }
    #expect(strays.elements.first == nil)
    withExtendedLifetime(kept) {}
  }

  @Test("A multicast goes while its tokens end on another thread, 2,000 times")
  func goesMeanwhile() {
    let strays = Recorder<String>()
    let belt = Belt<[Registration]>()
    let worker = Crew(1) { _ in
      while let tokens = belt.next() {
        for token in tokens { token.cancel() }
        belt.confirm()
      }
    }
    for round in 1...2_000 {
      let multicast = Multicast<() -> Void>()
      let tokens = (0..<4).map { _ in
        let confined = Confined(strays: strays)
        return multicast.add { confined.touch() }
      }
      belt.send(tokens)
      multicast.invokeEach { $0() }
      if round.isMultiple(of: 2) { multicast.removeAll() }
    }
    belt.close()
    worker.wait()
    #expect(strays.elements.first == nil)
  }

  @Test("removeAll while tokens end on another thread counts each callback once, 2,000 times")
  func removeAllMeanwhile() {
    let multicast = Multicast<() -> Void>()
    let strays = Recorder<String>()
    let belt = Belt<[Registration]>()
    let worker = Crew(1) { _ in
      while let tokens = belt.next() {
        for token in tokens { token.cancel() }
        belt.confirm()
      }
    }
    for round in 1...2_000 {
      belt.send(
        (0..<4).map { _ in
          let confined = Confined(strays: strays)
          return multicast.add { confined.touch() }
        })
      multicast.removeAll()
      #expect(multicast.count == 0)
      let kept = multicast.add {}
      while belt.confirmed < round { multicast.invokeEach { $0() } }
      #expect(multicast.count == 1)
      kept.cancel()
    }
    belt.close()
    worker.wait()
    #expect(multicast.count == 0)
    #expect(strays.elements.first == nil)
  }
}
