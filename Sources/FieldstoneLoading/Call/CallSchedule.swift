/// Which calls run, wait, share and give way: the policies, without a clock, a task or a lock.
///
/// Calls are known by number. Each transition costs O(1), amortised.
package struct CallSchedule {
  /// The admission of a call that was just started.
  package enum Admission: Equatable {
    /// Its work begins, after a while where one is given.
    case run(after: Duration)
    /// It waits for its turn.
    case queue
    /// It takes part in the work of an earlier call.
    case join(leader: Int)
    /// It may not run.
    case refuse
  }

  private let rule: CallRule

  /// The call that others give way to, or that gives way to them.
  private var current: Int?

  private var waiting: Set<Int> = []
  private var order: [Int] = []
  private var head = 0

  /// The call that began the shared work, by key and the other way round.
  private var leaders: [AnyHashable: Int] = [:]
  private var keys: [Int: AnyHashable] = [:]

  package init(_ rule: CallRule) {
    self.rule = rule
  }

  /// Says what becomes of a call, and which call has to end for it as superseded.
  ///
  /// - Parameter key: the key of calls that share a load; without one, a call runs alone.
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

  /// Takes note that a call has ended, or the work that a call began for others, too.
  ///
  /// - Returns: the call whose turn it is now.
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

  /// Lets go of numbers that were passed or have left, once they are the most of it.
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
  /// A call that comes while another has not ended is refused.
  case reject
  /// A call whose key is that of work under way takes part in it.
  case join
  /// One at a time, in order, with a limit on those that wait.
  case queue(limit: Int)
  /// A new call supersedes the one before, and waits before it runs.
  case latest(debounce: Duration)
}
