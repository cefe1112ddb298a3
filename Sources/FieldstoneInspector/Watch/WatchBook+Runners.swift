#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// The runners whose events are recorded.
  struct WatchedRunners: Sendable {
    /// A runner, held weakly, with the registration of the observer of its events.
    struct Entry: Sendable {
      weak var runner: DurableRunner?
      /// The numbers of its watched objects.
      var objects: Set<Int>
      let registration: Registration
    }

    /// By the identity that the runner's events have; the registration keeps that unique.
    var entries: [ObjectIdentifier: Entry] = [:]
  }

  extension WatchBook {
    /// Records the events of a runner from now on; once, under however many names it is watched.
    ///
    /// The runner's observers hold the book weakly. The registration ends with the book, at the
    /// first page or object after the runner's release, or when its objects are evicted.
    func observeEvents(of runner: DurableRunner, as object: WatchedObject) {
      let source = runner.eventSource
      let isKnown = runners.withLock { runners in
        runners.entries[source]?.objects.insert(object.id) != nil
      }
      if isKnown { return }
      let name = object.name
      let registration = runner.observe { [weak self] event in
        guard let self else { return }
        record.add(TimelineEntry(event, of: name, at: time.now))
      }
      let other = runners.withLock { runners -> Registration? in
        // Another thread may have come before.
        if runners.entries[source]?.objects.insert(object.id) != nil { return registration }
        runners.entries[source] = WatchedRunners.Entry(
          runner: runner, objects: [object.id], registration: registration)
        return nil
      }
      other?.cancel()
    }

    /// Whether the events of a runner are recorded by its observer.
    func observes(_ source: ObjectIdentifier?) -> Bool {
      guard let source else { return false }
      return runners.withLock { $0.entries[source] != nil }
    }

    /// Stops recording the events of released runners, and of those of evicted objects.
    func removeRunners(evicted: Set<Int> = []) {
      // Ended outside the lock: that takes the lock of the runner's observers.
      let ended = runners.withLock { runners in
        for source in runners.entries.keys {
          runners.entries[source]?.objects.subtract(evicted)
        }
        let ended = runners.entries.filter { $0.value.runner == nil || $0.value.objects.isEmpty }
        for source in ended.keys { runners.entries[source] = nil }
        return ended
      }
      for entry in ended.values { entry.registration.cancel() }
    }
  }
#endif
