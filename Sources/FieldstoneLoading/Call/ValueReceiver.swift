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
