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

  /// A picker, which calls back once, when a photo is chosen.
  ///
  /// It releases its callback once it has called it or is dismissed, because the callback retains
  /// the presenter, which retains the picker.
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

  @Test("Events of a list, and how it begins")
  @MainActor
  func events() async throws {
    let (log, isBroken) = (Recorder<String>(), Locked(false))
    let pages = ClosureProvider { (request: PageRequest<Int>) in
      if isBroken.withLock({ $0 }) { throw MessageError("No network.") }
      return ItemPage([Photo(id: request.cursor ?? 0)], next: 1)
    }
    // snippet: blocks-list-events
    let photos = PaginatedList(provider: pages, beginsWithReload: true)
    let registration = photos.observe { event in
      switch event {
      case .loaded(_, let report): log.record("\(report.addedCount) new")
      case .failed(_, let error): log.record(error.localizedDescription)
      }
    }
    photos.loadMore()  // nothing, as there was no reload
    // end
    #expect(!photos.appendState.isLoading)
    // snippet: blocks-list-second
    let first = photos.reload(.firstPage)
    if !photos.refreshState.isLoading { photos.reload(.firstPage) }  // the seed's rule
    // end
    _ = await first.outcome
    isBroken.withLock { $0 = true }
    _ = await photos.loadMore().outcome
    #expect(await log.elements(atLeast: 2) == ["1 new", "No network."])
    // snippet: blocks-list-retry
    let retried = photos.retry()  // what has failed, and nothing else
    // end
    #expect(retried.count == 1)
    withExtendedLifetime(registration) {}
  }

  @Test("Validators")
  func validators() {
    // snippet: blocks-validators
    let nickname = FieldRule<String>.all([
      .length(3...20),
      FieldRule("must not begin with a digit") { $0.first?.isNumber != true },
    ])
    let field = Field<String>("Nickname").require(nickname)
    field.value = "7"
    field.validate()
    let problems = field.issues.map(\.text)  // both of them
    // end
    #expect(problems.count == 2 && problems.last == "must not begin with a digit")
    field.value = "ada"
    field.validate()
    #expect(field.issues.isEmpty)
  }
}
