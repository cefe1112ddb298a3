/// What is done about a failure that can be mended, such as a token that has run out.
public indirect enum CallRecovery<Value: Sendable>: Sendable {
  // Indirect, so that it has one size for all values: its code is then not generic, and small.

  /// The load is made again, with a fresh budget of retries.
  case again
  /// The call succeeds with this value instead.
  case value(Value)
  /// The failure stands.
  case fail
}
