/// The rule that a policy comes down to, whatever the parameters.
package enum CallRule: Sendable, Equatable {
  /// Every call runs at once.
  case concurrent
  /// A call that comes while another has not ended is refused.
  case reject
  /// A call whose key is that of work under way takes part in it.
  case join
  /// One at a time, in order; so many may wait.
  case queue(limit: Int)
  /// A new call supersedes the one before, and waits so long before it runs.
  case latest(debounce: Duration)
}
