import Observation

/// Makes reads of a state tracked, so that SwiftUI and `withObservationTracking` follow it.
///
/// It is not generic: a key path on a generic class costs microseconds, on this one a fraction of
/// one. Make it with the first read: a state that is never read pays nothing.
@MainActor
package final class StateTracker: Observable {
  private let registrar = ObservationRegistrar()
  private var state: Void { () }
  private var isTelling = false
  private var hasMoreToTell = false

  package init() {}

  /// Notes that the state is read.
  package func noteAccess() {
    registrar.access(self, keyPath: \.state)
  }

  /// Tells that the state has changed; call it when everything is in order, as it calls others.
  package func changed() {
    // An observer that changes the state again would otherwise be notified from within, endlessly.
    // It is no `DeliveryLine`, as a change has no content: any number of them is one.
    hasMoreToTell = true
    guard !isTelling else { return }
    isTelling = true
    while hasMoreToTell {
      hasMoreToTell = false
      registrar.willSet(self, keyPath: \.state)
      registrar.didSet(self, keyPath: \.state)
    }
    isTelling = false
  }
}
