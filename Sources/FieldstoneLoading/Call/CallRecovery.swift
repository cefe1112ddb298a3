/// What is done about a failure that can be mended, such as a token that has run out.
public enum CallRecovery<Value: Sendable>: Sendable {
  /// The load is made again, with a fresh budget of retries.
  case again
  /// The call succeeds with this value instead.
  case value(Value)
  /// The failure stands.
  case fail
}
