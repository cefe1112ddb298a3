import FieldstoneCore
import FieldstoneTesting
import Testing

@Suite("Reference tracker")
struct ReferenceTrackerTests {
  private let tracker = ReferenceTracker()
  private let heard = Recorder<String>()

  private func observe(_ name: String) -> Registration {
    tracker.observeIsEmpty { [heard] in heard.record("\(name): \($0 ? "empty" : "needed")") }
  }

  @Test("It knows how many references there are and what each is for, the oldest first")
  func reasons() {
    #expect(tracker.isEmpty)
    #expect(tracker.reasons == [])
    let map = tracker.add("map")
    let list = tracker.add("list")
    let unknown = tracker.add()
    #expect(map.reason == "map")
    #expect(!tracker.isEmpty)
    #expect(tracker.count == 3)
    #expect(tracker.reasons == ["map", "list", ""])
    list.release()
    #expect(tracker.reasons == ["map", ""])
    withExtendedLifetime((map, unknown)) {}
  }

  @Test("Its debug description lists the reasons")
  func debugDescription() {
    #expect(String(reflecting: tracker) == "ReferenceTracker(0: )")
    let references = [tracker.add("map"), tracker.add(), tracker.add("list")]
    #expect(
      String(reflecting: tracker) == "ReferenceTracker(3: map, (no reason given), list)")
    withExtendedLifetime(references) {}
  }

  @Test("Releasing a reference removes it, by hand, by its end, or by both", arguments: 0..<3)
  func release(way: Int) {
    let registration = observe("a")
    var reference: TrackedReference? = tracker.add("map")
    if way != 1 { reference?.release() }
    if way != 0 { reference = nil }
    if way == 0 { reference?.release() }
    #expect(tracker.isEmpty)
    #expect(heard.elements == ["a: needed", "a: empty"])
    withExtendedLifetime((registration, reference)) {}
  }

  @Test("Only the first reference and the last one are told")
  func edges() {
    let registration = observe("a")
    let first = tracker.add()
    let second = tracker.add()
    first.release()
    #expect(heard.removeAll() == ["a: needed"])
    second.release()
    #expect(heard.removeAll() == ["a: empty"])
    let third = tracker.add()
    #expect(heard.elements == ["a: needed"])
    withExtendedLifetime((registration, third)) {}
  }

  @Test("Observers hear in the order they registered, and none that was removed")
  func order() {
    let registrations = ["a", "b", "c"].map(observe)
    registrations[1].cancel()
    let reference = tracker.add()
    #expect(heard.elements == ["a: needed", "c: needed"])
    withExtendedLifetime((registrations, reference)) {}
  }

  @Test("An observer that an earlier one removes hears nothing", arguments: [true, false])
  func removedByEarlier(byRelease: Bool) {
    let slot = Slot<Registration>()
    let first = tracker.observeIsEmpty { [heard] _ in
      heard.record("first")
      if byRelease { slot.value = nil } else { slot.value?.cancel() }
    }
    slot.value = observe("second")
    let reference = tracker.add()
    #expect(heard.elements == ["first"])
    withExtendedLifetime((first, reference)) {}
  }

  @Test("A handler may add and release: what happens meanwhile is told to everybody, in order")
  func changesInside() {
    let slot = Slot<TrackedReference>()
    let first = tracker.observeIsEmpty { [tracker, heard] isEmpty in
      heard.record("first: \(isEmpty ? "empty" : "needed")")
      if isEmpty { slot.value = tracker.add("again") }
    }
    let second = observe("second")
    tracker.add("once").release()
    let told = heard.removeAll()
    for name in ["first", "second"] {
      #expect(
        told.filter { $0.hasPrefix(name) } == [
          "\(name): needed", "\(name): empty", "\(name): needed",
        ])
    }
    #expect(tracker.reasons == ["again"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("A handler may observe: the new observer hears what happens from then on")
  func observesInside() {
    let slot = Slot<Registration>()
    let first = tracker.observeIsEmpty { [tracker, heard] isEmpty in
      heard.record("first: \(isEmpty ? "empty" : "needed")")
      guard isEmpty, slot.value == nil else { return }
      // These two edges have happened, and wait to be told, when the new one comes.
      tracker.add("before").release()
      slot.value = tracker.observeIsEmpty { heard.record("new: \($0 ? "empty" : "needed")") }
    }
    tracker.add().release()
    #expect(
      heard.removeAll() == ["first: needed", "first: empty", "first: needed", "first: empty"])
    let reference = tracker.add()
    #expect(heard.elements == ["first: needed", "new: needed"])
    withExtendedLifetime((first, reference)) {}
  }

  @Test("A handler may cancel its own registration")
  func cancelsItself() {
    let slot = Slot<Registration>()
    slot.value = tracker.observeIsEmpty { [heard] _ in
      heard.record("heard")
      slot.value = nil
    }
    tracker.add().release()
    #expect(heard.elements == ["heard"])
  }

  @Test("What a removed observer captured goes outside the lock, and may use the tracker")
  func capturedGoes() {
    final class Captured: Sendable {
      private let whenReleased: @Sendable () -> Void

      init(whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }

      deinit { whenReleased() }
    }
    let captured = Slot(Captured { [tracker, heard] in heard.record("\(tracker.count)") })
    let registration = tracker.observeIsEmpty { [value = captured.value] _ in
      withExtendedLifetime(value) {}
    }
    captured.value = nil
    registration.cancel()
    #expect(heard.elements == ["0"])
  }

  @Test("A reference keeps the tracker; without one it goes")
  func lifetime() {
    var tracker: ReferenceTracker? = ReferenceTracker()
    let observed = { [weak tracker] in tracker }
    var reference = tracker?.add("map")
    tracker = nil
    #expect(observed()?.count == 1)
    reference = nil
    #expect(observed() == nil)
    withExtendedLifetime(reference) {}
  }
}
