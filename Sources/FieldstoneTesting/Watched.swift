import FieldstoneCore

/// A value under a lock; tasks can wait until it meets a condition.
final class Watched<Value: Sendable>: Sendable {
  private struct Waiter {
    let isMet: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Protected {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var left: Set<Int> = []
    var lastTicket = 0
  }

  private let state: Locked<Protected>

  init(_ value: Value) {
    state = Locked(Protected(value: value))
  }

  var value: Value { state.withLock { $0.value } }

  /// Changes the value, then wakes the tasks whose condition it meets.
  @discardableResult
  func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
    let (result, woken) = state.withLock { state in
      let result = change(&state.value)
      let met = state.waiters.filter { $0.value.isMet(state.value) }
      for ticket in met.keys { state.waiters[ticket] = nil }
      return (result, met.sorted { $0.key < $1.key }.map(\.value.continuation))
    }
    for continuation in woken { continuation.resume(returning: true) }
    return result
  }

  /// Waits until the value meets a condition, even if the task is cancelled.
  func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
    _ = await wait(as: nil, until: isMet)
  }

  /// Waits until the value meets a condition.
  ///
  /// - Throws: `CancellationError` at once if the task is cancelled.
  func waitUnlessCancelled(until isMet: @escaping @Sendable (Value) -> Bool) async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    let isThere = await withTaskCancellationHandler {
      await wait(as: ticket, until: isMet)
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: ticket)
        if waiter == nil { state.left.insert(ticket) }
        return waiter
      }
      waiter?.continuation.resume(returning: false)
    }
    if !isThere { throw CancellationError() }
  }

  private func wait(
    as ticket: Int?, until isMet: @escaping @Sendable (Value) -> Bool
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        if let ticket, state.left.remove(ticket) != nil { return false }
        if isMet(state.value) { return true }
        let ticket =
          ticket
          ?? {
            state.lastTicket += 1
            return state.lastTicket
          }()
        state.waiters[ticket] = Waiter(isMet: isMet, continuation: continuation)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}
