import FieldstoneCore

extension SharedWork {
  struct Delivery: Sendable {
    let report: Report
    let members: [Member]
  }

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
    private(set) var deliveries = DeliveryLine<Delivery>()

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
      if let value = lastEarly ?? early {
        deliveries.append(Delivery(report: .early(value), members: [member]))
      }
      if let lastProgress {
        deliveries.append(Delivery(report: .progress(lastProgress), members: [member]))
      }
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

    /// Takes a report; returns the value that it replaces, to be released outside the lock.
    mutating func report(_ report: Report) -> Output? {
      guard isOpen else { return nil }
      deliveries.append(Delivery(report: report, members: members))
      switch report {
      case .progress(let progress): lastProgress = progress
      case .early(let value):
        defer { lastEarly = value }
        return lastEarly
      case .end: break
      }
      return nil
    }

    /// Takes the outcome, unless all members have left; returns a value to release outside the
    /// lock.
    mutating func end(with outcome: Outcome<Output>) -> Output? {
      guard isOpen else { return nil }
      phase = .over
      deliveries.append(Delivery(report: .end(outcome), members: members))
      defer {
        members = []
        lastEarly = nil
      }
      return lastEarly
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

    mutating func beginDelivering() -> Bool { deliveries.begin() }

    mutating func nextDelivery() -> Delivery? { deliveries.next() }
  }
}
