/// A change that is shown before the source has it; confirm it or roll it back.
///
/// A pending change stays on top of every loaded value. It is a value; its copies refer to the same
/// change. After the change has ended or the integrator is deallocated, its methods do nothing.
@MainActor
public struct LocalChange<Value: Sendable>: Sendable {
  weak var center: CallCoordinator?
  let id: Int?

  /// Whether it can still be confirmed or rolled back.
  public var isPending: Bool {
    guard let center, let id else { return false }
    return center.isPending(id)
  }

  /// Confirms that the source has the change.
  ///
  /// Loads that began before can't overwrite it, because they may not include it.
  public func confirm() {
    if let id { center?.confirm(id) }
  }

  /// Removes only this change; other changes stay, even later ones.
  public func rollBack() {
    if let id { center?.takeBack(id) }
  }
}

extension Integrator: ValueReceiver {
  /// Changes the shown value before the source has the change.
  ///
  /// A load that began before can't overwrite it. The change is applied again to later loaded
  /// values, until it is confirmed or rolled back; so set a value rather than add to it. If there
  /// is no value, the change ends at once.
  ///
  /// The n changes since the oldest pending one are kept. A loaded value or a rollback applies them
  /// again, in O(n); an update applies only its own change.
  ///
  /// - Parameter change: called on the main actor, perhaps several times. It must not change this
  ///   integrator's value; such a change is ignored.
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

  /// Changes the shown value while the change is sent to the source.
  ///
  /// ```swift
  /// try await airports.update { $0.isFavourite = true } while: {
  ///   try await save("BER", isFavourite: true)
  /// }
  /// ```
  ///
  /// The change is confirmed if the operation returns, and rolled back if it throws.
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

  /// Shows a value from elsewhere; loads that began before can't overwrite it.
  ///
  /// It is ignored within a local change.
  public func receive(_ value: Value) {
    center.set(Loaded(value))
  }
}
