#if INSPECTOR
  import FieldstoneCore

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

    /// The activities under way that are kept; events may be lost, and with them ends.
    private static let limit = 10_000

    /// The observer of all activities; nil while no object has activities.
    var observation: Registration?
    private(set) var owners: [ObjectIdentifier: Owner] = [:]
    private var underWay: [Int: [WatchedSubject]] = [:]
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

    /// The subjects of an activity under way; the last event removes it.
    mutating func take(_ event: ActivityEvent) -> [WatchedSubject]? {
      if case .ended = event.change { return underWay.removeValue(forKey: event.activity) }
      return underWay[event.activity]
    }

    /// The subjects of an activity's first event.
    mutating func begin(_ event: ActivityEvent, of owner: Owner) -> [WatchedSubject] {
      if case .ended = event.change { return owner.subjects }
      if underWay.count >= Self.limit { underWay = [:] }
      underWay[event.activity] = owner.subjects
      return owner.subjects
    }
  }
#endif
