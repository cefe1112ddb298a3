#if INSPECTOR
  import FieldstoneCore
  import Observation

  /// The watched objects of an inspector, and the record of their events.
  final class WatchBook: Sendable {
    private struct State {
      var objects: [WatchedObject] = []
      var last = 0
      var switches: [String: ForceSwitch] = [:]
      /// The observers of the objects' activities, by the numbers of the objects.
      var activities: [Int: Registration] = [:]
    }

    /// The maximum number of objects; the oldest deallocated one is evicted, else the oldest.
    static let limit = 500

    let record: TimelineRecord
    let reader: ValueReader
    let time: TimeSource
    private let state = Locked(State())

    init(record: TimelineRecord, reader: ValueReader, time: TimeSource) {
      self.record = record
      self.reader = reader
      self.time = time
    }

    /// Whether an object is watched or an event was recorded.
    var isUsed: Bool {
      state.withLock { $0.last > 0 || !$0.switches.isEmpty } || record.hasEntries
    }

    /// The objects, oldest first.
    var objects: [WatchedObject] { state.withLock { $0.objects } }

    func object(_ id: Int) -> WatchedObject? {
      state.withLock { state in state.objects.first { $0.id == id } }
    }

    /// The switch for the providers with a name; it is created if needed.
    func forceSwitch(_ name: String) -> ForceSwitch {
      state.withLock { state in
        if let known = state.switches[name] { return known }
        let made = ForceSwitch(time: time)
        state.switches[name] = made
        return made
      }
    }

    /// The switch for a name, if a provider has one.
    func knownSwitch(_ name: String) -> ForceSwitch? {
      state.withLock { $0.switches[name] }
    }

    /// Adds an object, and observes its changes from then on.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - owner: the object itself, if its calls, loads or submits are to be recorded.
    ///   - follows: whether changes of the headline are recorded.
    /// - Returns: the object with its number.
    @MainActor
    @discardableResult
    func add(
      _ object: WatchedObject, owner: AnyObject? = nil, follows: Bool = true
    ) -> WatchedObject {
      makeRoom()
      let object = state.withLock { state in
        state.last += 1
        var object = object
        object.id = state.last
        state.objects.append(object)
        return object
      }
      if let owner { observeActivities(of: owner, as: object) }
      if follows { WatchFollower(object, self).follow() }
      return object
    }

    /// Removes deallocated objects if there are too many.
    @MainActor
    private func makeRoom() {
      let objects = objects
      guard objects.count >= Self.limit else { return }
      let gone = Set(objects.filter { $0.headline() == nil }.map(\.id))
      // Returned, so that registrations end outside the lock.
      let ended = state.withLock { state in
        let gone = gone.isEmpty ? [state.objects.removeFirst().id] : gone
        state.objects.removeAll { gone.contains($0.id) }
        return gone.compactMap { state.activities.removeValue(forKey: $0) }
      }
      for registration in ended { registration.cancel() }
    }

    /// Records an event of a watched object.
    func note(
      _ object: WatchedObject, _ text: String, tone: TimelineEntry.Tone = .plain,
      detail: String? = nil, identity: String? = nil
    ) {
      record.add(
        TimelineEntry(
          time: time.now, kind: object.kind, tone: tone, source: object.name,
          identity: identity ?? object.identity, text: text, detail: detail))
    }

    /// Records the activities of a watched object.
    private func observeActivities(of owner: AnyObject, as object: WatchedObject) {
      let registration = ActivityEvent.observe(of: owner) { [weak self] event in
        self?.note(event, of: object)
      }
      state.withLock { $0.activities[object.id] = registration }
    }

    /// Records an activity of a watched object.
    private func note(_ event: ActivityEvent, of object: WatchedObject) {
      let identity = "\(object.identity) \(event.kind.word) \(event.activity)"
      switch event.change {
      case .waiting: note(object, "\(event.kind.word) waits", identity: identity)
      case .began: note(object, "\(event.kind.word) began", tone: .busy, identity: identity)
      case .retrying(let attempt, let error, let delay):
        note(
          object, "\(event.kind.word) failed, attempt \(attempt) in \(delay)", tone: .bad,
          detail: error.inWords, identity: identity)
      case .ended(let outcome):
        let end = WatchedHeadline(outcome: outcome)
        note(
          object, "\(event.kind.word) \(end.phase)", tone: end.tone, detail: end.detail,
          identity: identity)
      }
    }

    /// Records the parameters of each load of a provider on the timeline.
    func parameterNote<Parameters>(_ name: String) -> @Sendable (Parameters) -> Void {
      { [record, reader, time] parameters in
        let detail = parameters is Void ? nil : reader.line(of: parameters, length: 400)
        record.add(
          TimelineEntry(
            time: time.now, kind: .call, source: name, identity: name, text: "loads", detail: detail
          ))
      }
    }

    /// Records a new state of a watched object.
    func note(_ object: WatchedObject, headline: WatchedHeadline) {
      note(object, headline.phase, tone: headline.tone, detail: headline.detail)
    }
  }

  extension ActivityEvent.Kind {
    /// The kind in one word.
    fileprivate var word: String {
      switch self {
      case .call: "call"
      case .operation: "operation"
      case .pageLoad: "load"
      case .stageExecution: "execution"
      case .formSubmit: "submit"
      case .fileSave: "save"
      }
    }
  }

  /// Records each change of a watched object's headline, using observation.
  @MainActor
  private final class WatchFollower {
    private let object: WatchedObject
    private weak var book: WatchBook?
    private var last: WatchedHeadline?

    init(_ object: WatchedObject, _ book: WatchBook) {
      self.object = object
      self.book = book
    }

    func follow() {
      guard let book else { return }
      // The tracked object holds the follower until it changes; the follower does not hold the
      // object.
      let headline = withObservationTracking {
        object.headline()
      } onChange: {
        // The change takes effect after this closure, before the main actor's next job.
        Task { @MainActor in self.follow() }
      }
      guard let headline, headline != last else { return }
      defer { last = headline }
      guard last != nil else { return }
      book.note(object, headline: headline)
    }
  }
#endif
