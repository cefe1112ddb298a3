import Fieldstone
import FieldstoneTesting
import Testing

@Suite("The surface of multicasts and reference trackers")
struct ObservationSurface {
  @Test("A multicast of one's own callback type")
  func multicast() {
    let saved = Multicast<(String, Int) -> Void>()
    var heard: [String] = []
    let registration = saved.add { name, count in heard.append("\(name) \(count)") }
    saved.invokeEach { $0("a", 1) }
    registration.cancel()
    saved.invokeEach { $0("b", 2) }
    saved.removeAll()
    #expect(heard == ["a 1"] && saved.count == 0)
  }

  @Test("A reference is tracked as long as it is held")
  func tracker() {
    let tracker = ReferenceTracker()
    let edges = Recorder<Bool>()
    let registration = tracker.observeIsEmpty { edges.record($0) }
    var reference: TrackedReference? = tracker.add("showing the map")
    #expect(!tracker.isEmpty && tracker.reasons == ["showing the map"])
    #expect(tracker.debugDescription.contains("showing the map"))
    reference = nil
    #expect(edges.elements == [false, true])
    tracker.add("again").release()
    #expect(edges.elements == [false, true, false, true] && reference == nil)
    withExtendedLifetime(registration) {}
  }
}
