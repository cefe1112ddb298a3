import FieldstoneCore

/// Notifies the observers of a list, one event after the other.
@MainActor
final class ListObservers {
  private let callbacks = Multicast<@MainActor (ListEvent) -> Void>()
  private var waiting = FIFO<ListEvent>()
  private var isNotifying = false

  func add(_ callback: @escaping @MainActor (ListEvent) -> Void) -> Registration {
    callbacks.add(callback)
  }

  /// Notifies all; an event that arises meanwhile comes after this one, for every observer.
  func notify(_ event: ListEvent) {
    waiting.append(event)
    guard !isNotifying else { return }
    isNotifying = true
    while let event = waiting.popFirst() { callbacks.invokeEach { $0(event) } }
    isNotifying = false
  }
}
