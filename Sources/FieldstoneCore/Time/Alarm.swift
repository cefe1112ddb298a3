import Dispatch

/// A call at an uptime that needs no thread of Swift's concurrency.
///
/// Tasks that block their threads delay a `Task.sleep`, but not an alarm.
package final class Alarm: Sendable {
  private let deadline: Duration
  private let body: @Sendable () -> Void
  /// The system's timer; nil for an injected time, and once the alarm has ended.
  private let timer = Locked<(any DispatchSourceTimer)?>(nil)
  private let task: Task<Void, any Error>?

  /// All bodies run on this queue, so they must be short.
  private static let queue = DispatchQueue(label: "fieldstone.alarms", qos: .userInitiated)

  /// Dispatch timers stop while the machine sleeps, so the clock is read again after this time.
  private static let longestNap = Duration.seconds(60)

  fileprivate init(
    atUptime deadline: Duration, by time: TimeSource, on executor: (any TaskExecutor)?,
    _ body: @escaping @Sendable () -> Void
  ) {
    self.deadline = deadline
    self.body = body
    guard time.isSystem else {
      task = Task(executorPreference: executor) {
        try await time.sleep(untilUptime: deadline)
        body()
      }
      return
    }
    task = nil
    let nap = nap
    timer.withLock { timer in
      let source = DispatchSource.makeTimerSource(flags: .strict, queue: Self.queue)
      source.setEventHandler { self.wake() }
      source.schedule(deadline: .now() + nap, leeway: .nanoseconds(0))
      source.activate()
      timer = source
    }
  }

  /// Cancels the alarm; its body may already be running.
  private func cancel() {
    endTimer()
    task?.cancel()
  }

  /// Cancels the alarm; with an injected time it returns once the body can't run any more.
  package func cancelAndWait() async {
    cancel()
    _ = await task?.result
  }

  private var nap: DispatchTimeInterval {
    let rest = min(max(.zero, deadline - SystemTime.uptime), Self.longestNap)
    return .nanoseconds(Int(rest / .nanoseconds(1)))
  }

  private func wake() {
    guard deadline <= SystemTime.uptime else {
      let nap = nap
      timer.withLock { $0?.schedule(deadline: .now() + nap, leeway: .nanoseconds(0)) }
      return
    }
    if endTimer() { body() }
  }

  /// - Returns: whether this call ended the timer.
  @discardableResult
  private func endTimer() -> Bool {
    timer.withLock { timer in
      defer { timer = nil }
      timer?.cancel()
      return timer != nil
    }
  }
}

extension TimeSource {
  /// Calls a short body once an uptime is reached.
  ///
  /// With the system's clocks it is called even while tasks block all threads of Swift's
  /// concurrency. With an injected time, a task on the executor sleeps until then.
  @discardableResult
  package func alarm(
    atUptime deadline: Duration, on executor: (any TaskExecutor)? = nil,
    _ body: @escaping @Sendable () -> Void
  ) -> Alarm {
    Alarm(atUptime: deadline, by: self, on: executor, body)
  }
}
