import Dispatch

/// A call at an uptime, which needs no thread of Swift's concurrency.
///
/// Tasks that block their threads hold up a `Task.sleep`; they don't hold up this.
package final class Alarm: Sendable {
  private let deadline: Duration
  private let body: @Sendable () -> Void
  /// The timer of the system; nil for an injected time, and once it is over.
  private let timer = Locked<(any DispatchSourceTimer)?>(nil)
  private let task: Task<Void, any Error>?

  /// All bodies run here, so they are short.
  private static let queue = DispatchQueue(label: "fieldstone.alarms", qos: .userInitiated)

  /// A machine's sleep stops the timers of Dispatch: it looks at the clock again after so long.
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

  /// Ends it; the call may be under way.
  private func cancel() {
    endTimer()
    task?.cancel()
  }

  /// Ends it, and returns once no call of an injected time can come any more.
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

  /// - Returns: whether it had not ended before.
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
  /// By the system's clocks it comes also while tasks block all threads of Swift's concurrency.
  /// With an injected time, a task on the executor sleeps.
  @discardableResult
  package func alarm(
    atUptime deadline: Duration, on executor: (any TaskExecutor)? = nil,
    _ body: @escaping @Sendable () -> Void
  ) -> Alarm {
    Alarm(atUptime: deadline, by: self, on: executor, body)
  }
}
