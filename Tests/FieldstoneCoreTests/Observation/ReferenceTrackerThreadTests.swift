import FieldstoneCore
import FieldstoneTesting
import Foundation
import Testing

@Suite("Reference tracker: from many threads")
struct ReferenceTrackerThreadTests {
  @Test("Edges are heard in order from 8 threads, and the last one tells how things are")
  func edges() {
    let tracker = ReferenceTracker()
    let observers = (0..<3).map { _ in Recorder<Bool>() }
    let registrations = observers.map { observer in
      tracker.observeIsEmpty { observer.record($0) }
    }
    for round in 0..<50 {
      let kept = Slot<TrackedReference>()
      let threads = Crew(8) { number in
        for _ in 0..<40 { tracker.add("thread \(number)").release() }
        if number == 0, round.isMultiple(of: 2) { kept.value = tracker.add("kept") }
      }
      threads.wait()
      #expect(tracker.reasons == (round.isMultiple(of: 2) ? ["kept"] : []))
      for observer in observers {
        #expect(observer.elements.last == tracker.isEmpty)
      }
      kept.value = nil
      for observer in observers {
        let edges = observer.removeAll()
        #expect(edges.count.isMultiple(of: 2))
        #expect(edges == edges.indices.map { !$0.isMultiple(of: 2) })
      }
    }
    withExtendedLifetime(registrations) {}
  }

  @Test("No two handlers run at once, whichever threads make the edges")
  func oneAtATime() {
    let tracker = ReferenceTracker()
    let isInside = Slot(false)
    let overlaps = Recorder<String>()
    let registration = tracker.observeIsEmpty { _ in
      if isInside.value == true { overlaps.record("two at once") }
      isInside.value = true
      sched_yield()
      isInside.value = false
    }
    Crew(8) { _ in for _ in 0..<500 { tracker.add().release() } }.wait()
    #expect(overlaps.elements.isEmpty)
    withExtendedLifetime(registration) {}
  }

  @Test("References made on one thread are released on others")
  func releasedElsewhere() {
    let tracker = ReferenceTracker()
    let edges = Recorder<Bool>()
    let registration = tracker.observeIsEmpty { edges.record($0) }
    let references = Locked((0..<800).map { tracker.add("reference \($0)") })
    #expect(tracker.count == 800)
    Crew(8) { _ in
      while references.withLock({ $0.popLast() }) != nil {}
    }.wait()
    #expect(tracker.isEmpty)
    #expect(edges.elements == [false, true])
    withExtendedLifetime(registration) {}
  }

  @Test("Observers come and go on threads while edges are told; each hears them in order")
  func observersComeAndGo() {
    let tracker = ReferenceTracker()
    let faults = Recorder<String>()
    Crew(8) { number in
      for _ in 0..<200 {
        guard number.isMultiple(of: 2) else {
          tracker.add().release()
          continue
        }
        let last = Slot<Bool>()
        let registration = tracker.observeIsEmpty { isEmpty in
          if last.value == isEmpty { faults.record("\(isEmpty) twice") }
          last.value = isEmpty
        }
        tracker.add().release()
        registration.cancel()
      }
    }.wait()
    #expect(tracker.isEmpty)
    #expect(faults.elements.isEmpty)
  }
}
