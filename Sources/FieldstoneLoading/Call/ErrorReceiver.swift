/// What shows or keeps the errors of failed calls: a presenter, or ``ErrorHandlers``.
@MainActor
public protocol ErrorReceiver: AnyObject, Sendable {
  /// Takes an error; never a cancellation.
  func receive(error: any Error)
}
