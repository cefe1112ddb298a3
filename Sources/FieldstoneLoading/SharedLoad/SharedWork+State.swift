import FieldstoneCore

extension SharedWork {
  struct Left: Sendable {
    let member: Member
    /// The work to cancel if the last member left.
    let task: Task<Void, Never>?
  }

  /// The transitions of shared work, without a lock and without calls to users' code.
  struct State {
    private enum Phase {
      case idle
      /// The task is nil until the member that starts it has passed it in.
      case running(Task<Void, Never>?)
      case over
    }

    private var phase = Phase.idle
    private var work: Work?
    private var members = Members()
    private var lastProgress: LoadProgress?
    private var lastEarly: Output?

    init(work: @escaping Work) {
      self.work = work
    }

    var isOpen: Bool {
      if case .over = phase { false } else { true }
    }

    /// Adds a member; true if it must start the work, nil if the work is over.
    mutating func join(_ member: Member, early: Output?) -> Bool? {
      guard isOpen else { return nil }
      members.append(member)
      if let value = lastEarly ?? early { member.append(.early(value)) }
      if let lastProgress { member.append(.progress(lastProgress)) }
      guard case .idle = phase else { return false }
      phase = .running(nil)
      return true
    }

    /// Returns the work to start, once; nil if all members have left.
    ///
    /// It is not kept: a provider that retains its events would otherwise retain itself.
    mutating func takeWork() -> Work? {
      isOpen ? work.take() : nil
    }

    /// Takes the task; true if it is not needed, because all members have left meanwhile.
    mutating func started(_ task: Task<Void, Never>) -> Bool {
      switch phase {
      case .idle, .running:
        phase = .running(task)
        return false
      case .over: return true
      }
    }

    /// Takes a report, and queues it for all members.
    ///
    /// - Returns: the members, and the value that it replaces, to be released outside the lock.
    mutating func report(_ report: Report) -> (members: [Member], replaced: Output?) {
      guard isOpen else { return ([], nil) }
      let present = members.present
      for member in present { member.append(report) }
      switch report {
      case .progress(let progress): lastProgress = progress
      case .early(let value):
        defer { lastEarly = value }
        return (present, lastEarly)
      case .end:
        phase = .over
        members = Members()
        defer { lastEarly = nil }
        return (present, lastEarly)
      }
      return (present, nil)
    }

    /// Removes a member; nil if it was not a member any more.
    ///
    /// O(1) amortised.
    mutating func leave(_ member: Member) -> Left? {
      guard members.remove(member) else { return nil }
      guard members.isEmpty, case .running(let task) = phase else {
        return Left(member: member, task: nil)
      }
      phase = .over
      return Left(member: member, task: task)
    }
  }

  /// The members in the order in which they joined; each knows its place.
  private struct Members {
    /// Nil where a member has left.
    private var places: [Member?] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    var present: [Member] { places.compactMap(\.self) }

    mutating func append(_ member: Member) {
      let place = places.count
      member.place.withLock { $0 = place }
      places.append(member)
      count += 1
    }

    /// Removes a member.
    ///
    /// - Returns: whether it was one.
    mutating func remove(_ member: Member) -> Bool {
      let place = member.place.withLock { $0 }
      guard places.indices.contains(place), places[place] === member else { return false }
      places[place] = nil
      count -= 1
      guard places.count > 2 * count else { return true }
      let present = present
      places = []
      count = 0
      for member in present { append(member) }
      return true
    }
  }
}
