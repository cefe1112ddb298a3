import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

@Suite("Guide: from ModelBlocks")
struct ModelBlocksGuide {
  // snippet: blocks-operation
  final class PickPhoto: StatefulOperation<String>, @unchecked Sendable {
    private let picker: PhotoPicker

    init(from picker: PhotoPicker) {
      self.picker = picker
      super.init()
    }

    override func main() {
      picker.present { photo in self.finish(.success(photo)) }
    }

    override func onCancel() { picker.dismiss() }
  }
  // end

  /// Something that a person uses: it calls back once, when a photo is chosen.
  ///
  /// It lets go of its callback when it has called it or is dismissed: whoever presents it is kept
  /// by that callback and keeps the picker.
  final class PhotoPicker: Sendable {
    let events = Recorder<String>()
    let isPresented = Gate()
    private let choose = Locked<(@Sendable (String) -> Void)?>(nil)

    func present(_ choose: @escaping @Sendable (String) -> Void) {
      self.choose.withLock { $0 = choose }
      isPresented.open()
    }

    func tap(_ photo: String) {
      let choose = choose.withLock { $0.take() }
      choose?(photo)
    }

    func dismiss() {
      events.record("dismissed")
      let choose = choose.withLock { $0.take() }
      withExtendedLifetime(choose) {}
    }
  }

  @Test("An operation that calls back")
  func operation() async throws {
    let (queue, picker) = (OperationQueue(), PhotoPicker())
    // snippet: blocks-operation-use
    let pick = PickPhoto(from: picker)
    queue.addOperation(pick)
    // end
    await picker.isPresented.wait()
    picker.tap("alps.jpg")
    #expect(try await pick.value == "alps.jpg")
  }

  @Test("Cancelling it")
  func cancelling() async throws {
    let (queue, picker) = (OperationQueue(), PhotoPicker())
    let pick = PickPhoto(from: picker)
    queue.addOperation(pick)
    await picker.isPresented.wait()
    pick.cancel()
    picker.tap("late.jpg")
    pick.finish(.success("later.jpg"))
    #expect(await pick.outcome.cancellation == .caller)
    #expect(picker.events.elements == ["dismissed"])
  }

  @Test(
    "The picker lets go of whom it has answered, and of who dismissed it", arguments: [false, true])
  func released(isDismissed: Bool) {
    final class Presenter: Sendable {}
    let picker = PhotoPicker()
    weak var presenter: Presenter?
    do {
      let presenting = Presenter()
      presenter = presenting
      picker.present { _ in withExtendedLifetime(presenting) {} }
    }
    #expect(presenter != nil)
    if isDismissed { picker.dismiss() } else { picker.tap("alps.jpg") }
    #expect(presenter == nil)
  }

  // snippet: blocks-multicast
  final class EventSource {
    let saved = Multicast<(String) -> Void>()

    func save(_ name: String) { saved.invokeEach { $0(name) } }
  }

  final class EventListener {
    private var registration: Registration?
    private(set) var names: [String] = []

    func listen(to source: EventSource) {
      registration = source.saved.add { [weak self] name in self?.names.append(name) }
    }

    func stop() { registration = nil }
  }
  // end

  @Test("One to many")
  func multicast() {
    let (source, listener) = (EventSource(), EventListener())
    listener.listen(to: source)
    source.save("a")
    listener.stop()
    source.save("b")
    #expect(listener.names == ["a"] && source.saved.count == 0)
  }

  @Test("Who still needs it")
  func tracker() {
    let edges = Recorder<Bool>()
    // snippet: blocks-tracker
    let tracker = ReferenceTracker()
    let registration = tracker.observeIsEmpty { isEmpty in edges.record(isEmpty) }
    var reference: TrackedReference? = tracker.add("showing the map")
    let reasons = tracker.reasons  // ["showing the map"]
    reference = nil  // the last one: the observer hears true
    // end
    #expect(reference == nil && reasons == ["showing the map"])
    #expect(edges.elements == [false, true])
    let other = tracker.add("showing the list")
    #expect(edges.elements == [false, true, false], "told at once")
    withExtendedLifetime((registration, other)) {}
  }

  struct Photo: Identifiable, Sendable {
    let id: Int
  }

  @Test("A list")
  @MainActor
  func list() async throws {
    // snippet: blocks-list
    let pages = ClosureProvider { (request: PageRequest<Int>) in
      let first = request.cursor ?? 0
      return ItemPage((first..<first + 20).map(Photo.init), next: first < 20 ? first + 20 : nil)
    }
    let photos = PaginatedList(provider: pages)
    _ = await photos.reload(.firstPage).outcome
    _ = await photos.loadMore().outcome  // whether it is allowed, the list knows
    // end
    #expect(photos.items.count == 40 && !photos.hasMore)
    #expect(await photos.loadMore().outcome.value?.addedCount == 0)
  }

  @Test("A list that is fetched by operations")
  @MainActor
  func operations() async throws {
    let queue = OperationQueue()
    // snippet: blocks-list-operations
    let pages = ClosureProvider { (request: PageRequest<Int>) in
      let fetch = StatefulBlockOperation { ItemPage([Photo(id: request.cursor ?? 0)], next: 1) }
      queue.addOperation(fetch)
      return try await withTaskCancellationHandler {
        try await fetch.value
      } onCancel: {
        fetch.cancel()
      }
    }
    let photos = PaginatedList(provider: pages)
    // end
    #expect(await photos.reload(.firstPage).outcome.value?.addedCount == 1)
  }
}
