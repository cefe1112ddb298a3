package import FieldstoneCore

/// A journal that says when another process may have made a run due, or ended one.
///
/// It may miss some: polls find what it does not say.
package protocol WakeUpSource: Sendable {
  /// Calls a closure at each wake-up until the token is released.
  func onWakeUp(_ body: @escaping @Sendable () -> Void) -> Registration
}
