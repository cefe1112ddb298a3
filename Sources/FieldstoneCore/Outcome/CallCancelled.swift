/// What a throwing form throws when a call was ended by something other than its own task.
///
/// A call whose own task was cancelled throws `CancellationError`, as everywhere in Swift.
public struct CallCancelled: DescribedError, Hashable {
  /// Why the call ended.
  public let reason: CancellationReason

  /// Makes the error for a reason.
  public init(_ reason: CancellationReason) {
    self.reason = reason
  }

  /// A sentence that says why the call ended, and what to do where something can be done.
  public var message: String {
    switch reason {
    case .caller: "The call was cancelled by its caller."
    case .superseded: "The call was cancelled because a newer one took its place."
    case .busy: "The call did not start because another one is under way; wait for it to end."
    case .released: "The call was cancelled because what ran it was released; keep a reference."
    }
  }
}
