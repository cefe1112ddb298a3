#if INSPECTOR
  import FieldstoneCore
  import Observation

  /// The watched objects of an inspector, and the record of their events.
  final class WatchBook: Sendable {
    private struct State {
      var objects: [WatchedObject] = []
      var last = 0
      var switches: [String: ForceSwitch] = [:]
    }

    /// The maximum number of objects; the oldest deallocated one is evicted, else the oldest.
    static let limit = 500

    let record: TimelineRecord
    let reader: ValueReader
    let time: TimeSource
    private let state = Locked(State())
    let activities = Locked(WatchedActivities())
    let runners = Locked(WatchedRunners())
    /// The registrations of observers of objects, by the number of the object.
    private let held = Locked([Int: Registration]())

    init(record: TimelineRecord, reader: ValueReader, time: TimeSource) {
      self.record = record
      self.reader = reader
      self.time = time
    }

    deinit {
      // The observer holds the activities, and these hold the registration.
      activities.withLock { $0.observation.take() }?.cancel()
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
      _ object: WatchedObject, owner: (any AnyObject & Sendable)? = nil, follows: Bool = true
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
      let evicted = state.withLock { state in
        let gone = gone.isEmpty ? [state.objects.removeFirst().id] : gone
        state.objects.removeAll { gone.contains($0.id) }
        return gone
      }
      activities.withLock { $0.remove(evicted) }
      removeRunners(evicted: evicted)
      // Returned, so that they end outside the lock.
      let ended = held.withLock { held in evicted.compactMap { held.removeValue(forKey: $0) } }
      withExtendedLifetime(ended) {}
      removeReleased()
    }

    /// Holds the registration of an observer as long as the object is shown.
    func hold(_ registration: Registration, for object: WatchedObject) {
      held.withLock { $0[object.id] = registration }
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

    /// Records an event of a watched object, with a detail that is made when a page reads the record.
    func note(
      _ object: WatchedObject, _ text: String, detail: @escaping TimelineRecord.Detail
    ) {
      record.add(
        TimelineEntry(
          time: time.now, kind: object.kind, source: object.name, identity: object.identity,
          text: text), detail: detail)
    }

    /// Records the parameters of each load of a provider on the timeline.
    func parameterNote<Parameters: Sendable>(_ name: String) -> @Sendable (Parameters) -> Void {
      { [record, reader, time] parameters in
        let entry = TimelineEntry(
          time: time.now, kind: .call, source: name, identity: name, text: "loads")
        record.add(entry, words: reader.words(of: parameters, named: name))
      }
    }

    /// Records a new state of a watched object.
    func note(_ object: WatchedObject, headline: WatchedHeadline) {
      note(object, headline.phase, tone: headline.tone, detail: headline.detail)
    }
  }

  // MARK: Activities

  extension WatchBook {
    /// Brings the record up to date for a page.
    func prepareLook() {
      removeReleased()
      record.readDetails()
    }

    /// Records the activities of an object from now on.
    @MainActor
    private func observeActivities(
      of owner: any AnyObject & Sendable, as object: WatchedObject
    ) {
      let id = ObjectIdentifier(owner)
      // Loaded outside the lock, because that may run a deinitialiser.
      let known = activities.withLock { $0.owner(id) }
      let isSame = known?.object === owner
      let isObserved = activities.withLock { activities in
        activities.add(WatchedSubject(object), to: owner, replacing: !isSame)
        return activities.observation != nil
      }
      if isObserved { return }
      // One observer, however many objects are watched. The check runs under the observers' lock,
      // so it must not be the last to hold the book: the book's deinitialiser takes that lock.
      let observation = ActivityEvent.observe { [activities] event in
        activities.withLock { $0.isKnown(event) }
      } _: { [weak self] event in
        self?.hear(event)
      }
      activities.withLock { $0.observation = observation }
    }

    /// Records an event of an activity, if it is of a watched object.
    private func hear(_ event: ActivityEvent) {
      let (known, owner) = activities.withLock { activities in
        (activities.take(event), event.owner.flatMap { activities.owner($0) })
      }
      if let known {
        for subject in known.subjects { note(event, of: subject, isFirst: false) }
        return
      }
      guard let id = event.owner, let owner else { return }
      // Another object may have the address of a released one.
      guard owner.object != nil else {
        activities.withLock { $0.remove(id, ifStill: owner) }
        return
      }
      let now = time.now
      let (subjects, dropped) = activities.withLock { $0.begin(event, of: owner, at: now) }
      withExtendedLifetime(dropped) {}
      for subject in subjects { note(event, of: subject, isFirst: true) }
    }

    /// Stops following released objects, and observing if no object is left.
    private func removeReleased() {
      let owners = activities.withLock { $0.owners }
      let released = owners.filter { $0.value.object == nil }
      // Returned, so that it ends outside the lock.
      let ended = activities.withLock { activities -> Registration? in
        for (id, owner) in released { activities.remove(id, ifStill: owner) }
        return activities.isEmpty ? activities.observation.take() : nil
      }
      ended?.cancel()
      removeRunners()
    }

    private func note(_ event: ActivityEvent, of subject: WatchedSubject, isFirst: Bool) {
      let word = event.kind.word
      var entry = TimelineEntry(
        time: time.now, kind: subject.kind, source: subject.name,
        identity: "\(subject.identity) \(word) \(event.activity)", text: "")
      switch event.change {
      case .waiting: entry.text = "\(word) waits"
      case .began: (entry.text, entry.tone) = ("\(word) began", .busy)
      case .retrying(let attempt, let error, let delay):
        entry.text = "\(word) failed, attempt \(attempt) in \(delay)"
        (entry.tone, entry.detail) = (.bad, error.inWords)
      case .ended(let outcome):
        let end = WatchedHeadline(outcome: outcome)
        entry.text = "\(word) \(end.phase)"
        (entry.tone, entry.detail) = (end.tone, end.detail)
      }
      // The first event of a call has its parameters, unless it says why the call ended.
      guard isFirst, entry.detail == nil, let parameters = event.parameters else {
        return record.add(entry)
      }
      record.add(entry, words: reader.words(of: parameters, named: subject.name))
    }
  }

  extension TimelineRecord {
    /// Adds an event whose detail is a value in words.
    fileprivate func add(_ entry: TimelineEntry, words: ValueReader.Words) {
      switch words {
      case .known(let text):
        var entry = entry
        entry.detail = text
        add(entry)
      case .later(let make): add(entry, detail: make)
      }
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
