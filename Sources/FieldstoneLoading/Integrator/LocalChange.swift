/// A change that is shown before the source has it: confirm it or roll it back.
///
/// A change that is neither stays on top of whatever is loaded. It is a value; copies mean the
/// same change. After the end of the change, or the release of the integrator, its methods do
/// nothing.
@MainActor
public struct LocalChange<Value: Sendable>: Sendable {
  weak var center: CallCoordinator?
  let id: Int?

  /// Whether it can still be confirmed or rolled back.
  public var isPending: Bool {
    guard let center, let id else { return false }
    return center.isPending(id)
  }

  /// Says that the source has it; loads that began before can't overwrite it, as they may not have
  /// seen it.
  public func confirm() {
    if let id { center?.confirm(id) }
  }

  /// Removes just this change; others, also later ones, stay.
  public func rollBack() {
    if let id { center?.takeBack(id) }
  }
}
