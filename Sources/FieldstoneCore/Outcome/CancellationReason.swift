/// Why a call was cancelled.
///
/// Cancellation is not an error: it never shows up as a failure, and it leaves values, cursors
/// and earlier errors as they were.
public enum CancellationReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// Whoever made the call cancelled it.
  case caller
  /// A newer call took its place.
  case superseded
  /// Its policy does not let it run beside the call that was already there.
  case busy
  /// What ran it was released.
  case released
}
