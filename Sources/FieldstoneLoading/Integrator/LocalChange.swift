/// A change that is shown before the source has it: confirm it or roll it back.
///
/// A change that is neither stays on top of every loaded value. It is a value; copies mean the same
/// change. After the end of the change, or the release of the integrator, its methods do nothing.
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

extension Integrator: ValueReceiver {
  /// Changes the value that is shown before the source has the change.
  ///
  /// A load that began before cannot overwrite it. The change is applied again to later loaded
  /// values, until it is confirmed or rolled back. So set a value rather than add to it. Without a
  /// value there is nothing to change, and the change has ended at once. Each call costs O(n) of
  /// the changes that are pending.
  ///
  /// - Parameter change: is applied on the main actor, perhaps several times; it must not change
  ///   this integrator's value, which is then ignored.
  /// - Returns: the change, to confirm or to roll back.
  @discardableResult
  public func update(_ change: @escaping (inout Value) -> Void) -> LocalChange<Value> {
    let id = center.add { loaded in
      var value = loaded.value(as: Value.self)
      change(&value)
      loaded = Loaded(value)
    }
    return LocalChange(center: center, id: id)
  }

  /// Changes the value that is shown while the change is sent to the source.
  ///
  /// ```swift
  /// try await airports.update { $0.isFavourite = true } while: {
  ///   try await save("BER", isFavourite: true)
  /// }
  /// ```
  ///
  /// The change is confirmed when the operation returns, and rolled back when it throws.
  ///
  /// - Throws: the operation's error.
  public func update<Result: Sendable>(
    _ change: @escaping (inout Value) -> Void, while operation: () async throws -> Result
  ) async rethrows -> Result {
    let change = update(change)
    do {
      let result = try await operation()
      change.confirm()
      return result
    } catch {
      change.rollBack()
      throw error
    }
  }

  /// Shows a value that came from elsewhere; loads that began before can't overwrite it.
  ///
  /// Within a local change it is ignored.
  public func receive(_ value: Value) {
    center.set(Loaded(value))
  }
}
