package import FieldstoneCore

/// A journal that signals when another process may have made a run due, or ended one.
///
/// It may miss some changes; polls find them.
package protocol WakeUpSource: Sendable {
  /// Calls a closure at each wake-up until the token is released.
  func onWakeUp(_ body: @escaping @Sendable () -> Void) -> Registration
}
