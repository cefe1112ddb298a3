package import FieldstoneCore

/// Work that several callers share; it is cancelled when the last of them leaves.
///
/// Each member has its own events and outcome. A cancelled member returns at once and does not
/// affect the others; once all have left, the work is cancelled and its result is dropped. A late
/// member immediately receives the latest progress and the latest early value. Every member
/// receives reports in order, then its end.
package final class SharedWork<Output: Sendable>: Sendable {
  typealias Report = LoadReport<Output>
  package typealias Work = @Sendable (LoadEvents<Output>) async throws -> Output

  private let state: Locked<State>

  /// Makes work that begins when the first member joins.
  ///
  /// - Parameter work: the work, which runs in a separate task with the first member's priority and
  ///   task locals.
  package init(_ work: @escaping Work) {
    state = Locked(State(work: work))
  }

  /// Whether no member can join any more, because the work has ended or all members have left.
  package var isOver: Bool {
    state.withLock { !$0.isOpen }
  }

  /// Adds a member to the work; the first one starts it.
  ///
  /// - Returns: the member, or nil if the work is over; start another one then.
  package func join(_ events: LoadEvents<Output>) -> Member? {
    guard let admission = admit(events) else { return nil }
    admission.begin()
    return admission.member
  }

  /// The first half of joining; it starts nothing and calls no closure, so a lock may be held.
  ///
  /// - Parameter early: the member's first report, if the work has no early value itself.
  func admit(_ events: LoadEvents<Output>, early: Output? = nil) -> Admission? {
    let member = Member(work: self, events: events)
    guard let isFirst = state.withLock({ $0.join(member, early: early) }) else { return nil }
    return Admission(member: member, isFirst: isFirst)
  }

  /// Makes work with its first member; like ``admit(_:early:)`` it starts nothing.
  static func admitting(
    _ events: LoadEvents<Output>, early: Output?,
    to work: @escaping Work
  ) -> Admission {
    let shared = SharedWork(work)
    let member = Member(work: shared, events: events)
    // Work that has not begun accepts every member.
    _ = shared.state.withLock { $0.join(member, early: early) }
    return Admission(member: member, isFirst: true)
  }

  private func start() {
    guard let work = state.withLock({ $0.takeWork() }) else { return }
    let task = Task {
      let events = LoadEvents<Output>(
        onProgress: { self.report(.progress($0)) },
        onEarlyValue: { self.report(.early($0)) })
      report(.end(await Outcome(running: { try await work(events) })))
    }
    let isAbandoned = state.withLock { $0.started(task) }
    if isAbandoned { task.cancel() }
  }

  /// Passes a report on; a closure of one member holds up neither the work nor another member.
  private func report(_ report: Report) {
    let (members, replaced) = state.withLock { $0.report(report) }
    withExtendedLifetime(replaced) {}
    for member in members {
      if member.hasOnlyEnd { member.deliver() } else { member.deliverLater() }
    }
  }

  fileprivate func leave(_ member: Member) {
    let left = state.withLock { $0.leave(member) }
    left?.task?.cancel()
  }
}

extension SharedWork {
  /// A counted member, whose work may still have to be started.
  package struct Admission: Sendable {
    package let member: Member
    package let isFirst: Bool

    var work: SharedWork { member.work }

    /// The second half of joining; call it outside any lock.
    package func begin() {
      if isFirst { work.start() }
      member.deliver()
    }
  }

  /// A caller that waits for the work.
  package final class Member: Sendable {
    fileprivate let work: SharedWork
    private let events: LoadEvents<Output>
    private let promise = OutcomePromise<Output>()
    private let line = Locked(DeliveryLine<Report>())
    /// Its place among the members, set under the lock of the work.
    let place = Locked(0)

    fileprivate init(work: SharedWork, events: LoadEvents<Output>) {
      self.work = work
      self.events = events
    }

    /// Waits for the result; call it once.
    ///
    /// - Throws: the work's error; `CancellationError` at once if the waiting task is cancelled;
    ///   `CallCancelled` if the work was cancelled otherwise.
    package var value: Output {
      get async throws {
        try await withTaskCancellationHandler {
          try await promise.value
        } onCancel: {
          leave()
        }
      }
    }

    /// Leaves the work: reports end, and a task that awaits ``value`` is cancelled.
    package func leave(_ reason: CancellationReason = .caller) {
      promise.end(with: .cancelled(reason))
      work.leave(self)
    }

    /// Queues a report, under the lock of the work: the order is that of the work's states.
    func append(_ report: Report) {
      line.withLock { $0.append(report) }
    }

    /// Whether nothing is queued but the end, which calls no closure of the member.
    fileprivate var hasOnlyEnd: Bool {
      line.withLock { line in
        if line.count == 1, case .end = line.first { true } else { false }
      }
    }

    /// Delivers what is queued outside the lock, on one thread at a time.
    fileprivate func deliver() {
      if line.withLock({ $0.begin() }) { deliverAll() }
    }

    /// Delivers what is queued in a task, unless that is under way.
    fileprivate func deliverLater() {
      if line.withLock({ $0.begin() }) { Task { deliverAll() } }
    }

    private func deliverAll() {
      while let report = line.withLock({ $0.next() }) { receive(report) }
    }

    private func receive(_ report: Report) {
      switch report {
      case .end(let outcome): promise.end(with: outcome)
      // Reports after the end are dropped.
      case .progress(let progress): if promise.current == nil { events.progress(progress) }
      case .early(let value): if promise.current == nil { events.early(value) }
      }
    }
  }
}
