import Observation

/// Makes reads of a state tracked, so that SwiftUI and `withObservationTracking` follow it.
///
/// It is not generic: a key path on a generic class costs microseconds, on this one a fraction of a
/// microsecond. Make it with the first read, so that a state without reads has no cost.
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

  /// Notifies observers of a change; call it once the state is consistent, as it runs their code.
  package func changed() {
    // The flag prevents endless recursion when an observer changes the state again. A
    // `DeliveryLine` is not needed: a change has no content, so several count as one.
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
