/// The policies of calls as pure transitions, without a clock, a task or a lock.
///
/// They decide which calls run, wait, share or are superseded. Calls are identified by number. Each
/// transition is O(1) amortised.
package struct CallSchedule {
  /// The admission of a call that was just started.
  package enum Admission: Equatable {
    /// Its work begins after the delay.
    case run(after: Duration)
    /// It waits for its turn.
    case queue
    /// It shares the work of an earlier call.
    case join(leader: Int)
    /// It is rejected.
    case refuse
  }

  private let rule: CallRule

  /// The call that occupies the policy's single place.
  private var current: Int?

  private var waiting: Set<Int> = []
  private var order: [Int] = []
  private var head = 0

  /// The call that began the shared work, by key, and the reverse mapping.
  private var leaders: [AnyHashable: Int] = [:]
  private var keys: [Int: AnyHashable] = [:]

  package init(_ rule: CallRule) {
    self.rule = rule
  }

  /// Decides on a call, and which call it supersedes.
  ///
  /// - Parameter key: the key of calls that share a load; a call without one runs alone.
  package mutating func admit(
    _ number: Int, key: AnyHashable? = nil
  ) -> (admission: Admission, superseded: Int?) {
    switch rule {
    case .concurrent:
      return (.run(after: .zero), nil)
    case .reject:
      guard current == nil else { return (.refuse, nil) }
      current = number
      return (.run(after: .zero), nil)
    case .join:
      guard let key else { return (.run(after: .zero), nil) }
      if let leader = leaders[key] { return (.join(leader: leader), nil) }
      leaders[key] = number
      keys[number] = key
      return (.run(after: .zero), nil)
    case .queue(let limit):
      guard current != nil else {
        current = number
        return (.run(after: .zero), nil)
      }
      guard waiting.count < limit else { return (.refuse, nil) }
      waiting.insert(number)
      order.append(number)
      return (.queue, nil)
    case .latest(let debounce):
      let superseded = current
      current = number
      return (.run(after: debounce), superseded)
    }
  }

  /// Notes that a call, or the work that it began for others, has ended.
  ///
  /// - Returns: the call whose turn comes next.
  package mutating func ended(_ number: Int) -> Int? {
    switch rule {
    case .concurrent:
      break
    case .join:
      if let key = keys.removeValue(forKey: number) { leaders[key] = nil }
    case .reject, .latest:
      if current == number { current = nil }
    case .queue:
      if current == number {
        current = nextInLine()
        return current
      }
      waiting.remove(number)
      compact()
    }
    return nil
  }

  private mutating func nextInLine() -> Int? {
    defer { compact() }
    while head < order.count {
      defer { head += 1 }
      if waiting.remove(order[head]) != nil { return order[head] }
    }
    return nil
  }

  /// Removes the numbers of calls that ran or left, once they are the majority.
  private mutating func compact() {
    guard order.count > 32, order.count > 2 * waiting.count else { return }
    order = order[head...].filter { waiting.contains($0) }
    head = 0
  }
}

/// The rule of a policy, without the type of its parameters.
package enum CallRule: Sendable, Equatable {
  /// Every call runs at once.
  case concurrent
  /// A call is rejected while another has not ended.
  case reject
  /// A call whose key has work under way shares that work.
  case join
  /// One call at a time, in order, with a limit on waiting calls.
  case queue(limit: Int)
  /// A new call supersedes the previous one, and waits before it runs.
  case latest(debounce: Duration)
}
