/// What shows or keeps the values of successful calls: a presenter, or another integrator.
///
/// ```swift
/// extension AirportScreen: ValueReceiver {
///   func receive(_ airport: Airport) { title.text = airport.name }
/// }
/// airports.call("BER").forwardSuccess(to: screen).start()
/// ```
@MainActor
public protocol ValueReceiver<Received>: AnyObject, Sendable {
  /// What it takes.
  associatedtype Received

  /// Takes a value.
  func receive(_ value: Received)
}

/// What shows or keeps the errors of failed calls: a presenter, or ``ErrorHandlers``.
@MainActor
public protocol ErrorReceiver: AnyObject, Sendable {
  /// Takes an error; never a cancellation.
  func receive(error: any Error)
}
