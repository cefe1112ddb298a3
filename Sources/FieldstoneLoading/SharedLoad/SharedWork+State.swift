import FieldstoneCore

extension SharedWork {
  struct Delivery: Sendable {
    let report: Report
    let members: [Member]
  }

  struct Left: Sendable {
    let member: Member
    /// The work to stop, when the last one left.
    let task: Task<Void, Never>?
  }

  /// The transitions of shared work, without a lock and without a call to the user's code.
  struct State {
    private enum Phase {
      case idle
      /// The task is nil until the member that started it has handed it in.
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

    /// Takes a member in; true for the one that has to start the work, nil when it is over.
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

    /// Gives the work to be started, once; nil when all members left before.
    ///
    /// It is not kept: a provider that holds on to its events would hold on to itself by them.
    mutating func takeWork() -> Work? {
      isOpen ? work.take() : nil
    }

    /// Takes the task; true when it is of no use, as all members left before it was there.
    mutating func started(_ task: Task<Void, Never>) -> Bool {
      switch phase {
      case .idle, .running:
        phase = .running(task)
        return false
      case .over: return true
      }
    }

    /// Takes a report; gives back the value that it replaces, to be released outside the lock.
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

    /// Takes the outcome, unless all members left; gives back what is to be released outside.
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

    /// Takes a member out; nil when it was none any more.
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
