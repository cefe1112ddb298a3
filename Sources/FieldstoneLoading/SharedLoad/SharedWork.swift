package import FieldstoneCore

/// A piece of work that several wait for: it is counted, and stops when the last of them leaves.
///
/// Each member has events and an outcome of its own. A cancelled member returns at once and leaves
/// the others alone; once all have left, the work is cancelled and its result is dropped. A late
/// member gets at once the last progress and the last early value. Every member gets reports in
/// their order, and its end after them.
package final class SharedWork<Output: Sendable>: Sendable {
  typealias Report = LoadReport<Output>
  package typealias Work = @Sendable (LoadEvents<Output>) async throws -> Output

  private let state: Locked<State>

  /// Makes work that begins when the first member joins.
  ///
  /// - Parameter work: the work, in a task of its own that inherits the first member's priority and
  ///   task locals.
  package init(_ work: @escaping Work) {
    state = Locked(State(work: work))
  }

  /// Whether no member can join any more: it has ended, or all members left.
  package var isOver: Bool {
    state.withLock { !$0.isOpen }
  }

  /// Becomes a member of the work; the first one starts it.
  ///
  /// - Returns: nil when the work is over; start another one.
  package func join(_ events: LoadEvents<Output>) -> Member? {
    guard let admission = admit(events) else { return nil }
    admission.begin()
    return admission.member
  }

  /// The first half of joining, which may be done under a lock of one's own: nothing is started
  /// and no closure is called.
  ///
  /// - Parameter early: the member's first report, where the work has had no early value itself.
  func admit(_ events: LoadEvents<Output>, early: Output? = nil) -> Admission? {
    let member = Member(work: self, events: events)
    guard let isFirst = state.withLock({ $0.join(member, early: early) }) else { return nil }
    return Admission(member: member, isFirst: isFirst)
  }

  /// Makes work together with its first member; as with ``admit(_:early:)``, nothing is started.
  static func admitting(
    _ events: LoadEvents<Output>, early: Output?,
    to work: @escaping Work
  ) -> Admission {
    let shared = SharedWork(work)
    let member = Member(work: shared, events: events)
    // Work that has not begun takes every member in.
    _ = shared.state.withLock { $0.join(member, early: early) }
    return Admission(member: member, isFirst: true)
  }

  private func start() {
    guard let work = state.withLock({ $0.takeWork() }) else { return }
    let task = Task {
      let events = LoadEvents<Output>(
        onProgress: { self.report(.progress($0)) },
        onEarlyValue: { self.report(.early($0)) })
      end(with: await Outcome(running: { try await work(events) }))
    }
    let isAbandoned = state.withLock { $0.started(task) }
    if isAbandoned { task.cancel() }
  }

  private func report(_ report: Report) {
    let replaced = state.withLock { $0.report(report) }
    withExtendedLifetime(replaced) {}
    deliver()
  }

  private func end(with outcome: Outcome<Output>) {
    let released = state.withLock { $0.end(with: outcome) }
    withExtendedLifetime(released) {}
    deliver()
  }

  fileprivate func leave(_ member: Member) {
    let left = state.withLock { $0.leave(member) }
    left?.task?.cancel()
  }

  /// Hands out what was reported, outside the lock; one thread at a time, so that the order holds.
  private func deliver() {
    guard state.withLock({ $0.beginDelivering() }) else { return }
    while let delivery = state.withLock({ $0.nextDelivery() }) {
      for member in delivery.members { member.receive(delivery.report) }
    }
  }
}

extension SharedWork {
  /// A member that has been counted, and whose work may have to be started.
  package struct Admission: Sendable {
    package let member: Member
    package let isFirst: Bool

    var work: SharedWork { member.work }

    /// The second half of joining, outside of any lock.
    package func begin() {
      if isFirst { work.start() }
      work.deliver()
    }
  }

  /// One of the callers that wait for the work.
  package final class Member: Sendable {
    fileprivate let work: SharedWork
    private let events: LoadEvents<Output>
    private let promise = OutcomePromise<Output>()

    fileprivate init(work: SharedWork, events: LoadEvents<Output>) {
      self.work = work
      self.events = events
    }

    /// Waits for the result; call it once.
    ///
    /// - Throws: the work's error; `CancellationError`, at once, when the waiting task is
    ///   cancelled; `CallCancelled` when something else cancelled the work.
    package var value: Output {
      get async throws {
        try await withTaskCancellationHandler {
          try await promise.value
        } onCancel: {
          leave()
        }
      }
    }

    /// Leaves the work: reports end, and a task that awaits ``value`` gets a cancellation.
    package func leave(_ reason: CancellationReason = .caller) {
      promise.end(with: .cancelled(reason))
      work.leave(self)
    }

    fileprivate func receive(_ report: Report) {
      switch report {
      case .end(let outcome): promise.end(with: outcome)
      // What is late is dropped.
      case .progress(let progress): if promise.current == nil { events.progress(progress) }
      case .early(let value): if promise.current == nil { events.early(value) }
      }
    }
  }
}
