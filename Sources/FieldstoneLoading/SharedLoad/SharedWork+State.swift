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
    private var members: [Member] = []
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
      for member in members { member.append(report) }
      switch report {
      case .progress(let progress): lastProgress = progress
      case .early(let value):
        defer { lastEarly = value }
        return (members, lastEarly)
      case .end:
        phase = .over
        defer {
          members = []
          lastEarly = nil
        }
        return (members, lastEarly)
      }
      return (members, nil)
    }

    /// Removes a member; nil if it was not a member any more.
    mutating func leave(_ member: Member) -> Left? {
      guard let index = members.firstIndex(where: { $0 === member }) else { return nil }
      let member = members.remove(at: index)
      guard members.isEmpty, case .running(let task) = phase else {
        return Left(member: member, task: nil)
      }
      phase = .over
      return Left(member: member, task: task)
    }
  }
}
