#if INSPECTOR
  import FieldstoneCore
  import Foundation

  /// The part of a watched object that its events need.
  final class WatchedSubject: Sendable {
    let id: Int
    let kind: TimelineEntry.Kind
    let name: String
    let identity: String

    init(_ object: WatchedObject) {
      (id, kind, name, identity) = (object.id, object.kind, object.name, object.identity)
    }
  }

  /// The owners whose activities are recorded, and their activities under way.
  ///
  /// Each lookup is O(1). An event names its owner by its address, which another object may have
  /// later. So the owner must be alive when an activity is first heard of; further events are found
  /// by the number of the activity, which is unique. The end of a call that its owner's release
  /// cancels is found in this way.
  struct WatchedActivities {
    /// A watched object, held weakly.
    struct Owner {
      let number: Int
      weak var object: (any AnyObject & Sendable)?
      var subjects: [WatchedSubject]
    }

    /// An activity under way.
    struct Activity {
      let number: Int
      let subjects: [WatchedSubject]
      let since: Date
      /// The parameters of a call, if they are known.
      let parameters: (any Sendable)?
      var isWaiting = false
      var attempt = 1

      /// Follows a change of the activity.
      mutating func take(_ change: ActivityEvent.Change) {
        switch change {
        case .waiting: isWaiting = true
        case .began: isWaiting = false
        case .retrying(let attempt, error: _, delay: _): self.attempt = attempt
        case .ended: break
        }
      }
    }

    /// The activities under way that are kept; events may be lost, and with them ends.
    private static let limit = 10_000

    /// The observer of all activities; nil while no object has activities.
    var observation: Registration?
    private(set) var owners: [ObjectIdentifier: Owner] = [:]
    private var underWay: [Int: Activity] = [:]
    private var last = 0

    var isEmpty: Bool { owners.isEmpty && underWay.isEmpty }

    func owner(_ id: ObjectIdentifier) -> Owner? { owners[id] }

    /// Adds an object, in place of a released one with the same address.
    mutating func add(
      _ subject: WatchedSubject, to object: any AnyObject & Sendable, replacing: Bool
    ) {
      let id = ObjectIdentifier(object)
      let subjects = replacing ? [] : owners[id]?.subjects ?? []
      last += 1
      owners[id] = Owner(number: last, object: object, subjects: subjects + [subject])
    }

    /// Removes an owner, unless another one has its address meanwhile.
    mutating func remove(_ id: ObjectIdentifier, ifStill owner: Owner) {
      if owners[id]?.number == owner.number { owners[id] = nil }
    }

    /// Removes evicted objects.
    mutating func remove(_ ids: Set<Int>) {
      for id in Array(owners.keys) {
        owners[id]?.subjects.removeAll { ids.contains($0.id) }
        if owners[id]?.subjects.isEmpty == true { owners[id] = nil }
      }
    }

    /// Whether an event may be of a watched object.
    func isKnown(_ event: ActivityEvent) -> Bool {
      if let owner = event.owner, owners[owner] != nil { return true }
      return !underWay.isEmpty && underWay[event.activity] != nil
    }

    /// The activity under way of an event; the last event removes it.
    mutating func take(_ event: ActivityEvent) -> Activity? {
      if case .ended = event.change { return underWay.removeValue(forKey: event.activity) }
      underWay[event.activity]?.take(event.change)
      return underWay[event.activity]
    }

    /// The subjects of an activity's first event.
    ///
    /// - Returns: also what is not kept any more, to be released outside the lock.
    mutating func begin(
      _ event: ActivityEvent, of owner: Owner, at time: Date
    ) -> (subjects: [WatchedSubject], dropped: [Int: Activity]) {
      if case .ended = event.change { return (owner.subjects, [:]) }
      var dropped: [Int: Activity] = [:]
      if underWay.count >= Self.limit { swap(&dropped, &underWay) }
      var activity = Activity(
        number: event.activity, subjects: owner.subjects, since: time,
        parameters: event.parameters)
      activity.take(event.change)
      underWay[event.activity] = activity
      return (owner.subjects, dropped)
    }

    /// The first activities of a watched object that are under way, oldest first, and their number.
    ///
    /// O(activities under way).
    func underWay(of object: Int, atMost limit: Int) -> (first: [Activity], count: Int) {
      let all = underWay.values.filter { activity in
        activity.subjects.contains { $0.id == object }
      }
      return (Array(all.sorted { $0.number < $1.number }.prefix(limit)), all.count)
    }
  }
#endif
