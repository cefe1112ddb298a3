import FieldstoneCore
public import Observation

/// The part that only some fields have; a field without it pays eight bytes.
@usableFromInline
final class FieldDetails {
  var name: String?
  var key: String?
  var order = 0
  var time: TimeSource?

  /// The error of loading, while the state is failed.
  var error: (any Error)?

  /// The part that follows the value.
  ///
  /// Set once and retained by hand, so that validating retains nothing.
  @exclusivity(unchecked) @usableFromInline
  private(set) var ownedAttachment: Unmanaged<FieldAttachment>?

  var attachment: FieldAttachment? { ownedAttachment?.takeUnretainedValue() }

  /// The other parts of the field; a linked list, as most fields have none.
  private var extras: ExtraLink?

  /// The fields derived from this one.
  var followers: [WeakFollower] = []

  /// The observers of the load phase.
  var phaseObservers: PhaseObservers?

  /// The number of changes of the phase within batches.
  var phaseChanges = 0

  var tracker: FieldTracker?

  init() {}

  deinit {
    ownedAttachment?.release()
  }

  /// Attaches the part that follows the field's value; a field has at most one.
  func attach(_ attachment: FieldAttachment) {
    if ownedAttachment == nil { ownedAttachment = .passRetained(attachment) }
  }

  /// The extra of a type; nil if there is none.
  func extra<Extra: FieldExtra>(_ type: Extra.Type) -> Extra? {
    var next = extras
    while let extra = next {
      if let found = extra.part as? Extra { return found }
      next = extra.next
    }
    return nil
  }

  /// The extra of a type, made if there is none.
  func ensureExtra<Extra: FieldExtra>(_ make: @autoclosure () -> Extra) -> Extra {
    if let known = extra(Extra.self) { return known }
    let made = make()
    extras = ExtraLink(made, next: extras)
    return made
  }
}

/// A part that is attached to a field and follows its value, such as its rules with their results.
///
/// Deliveries call it and do not know its purpose. A subclass overrides all members.
@usableFromInline
class FieldAttachment {
  @usableFromInline
  init() {}

  /// Called with each set, before observers are notified.
  ///
  /// It calls no code of others: what that has to hear is queued in the context.
  ///
  /// - Parameter isChange: whether the value differs from the one before.
  func valueWasSet(of field: AnyField, isChange: Bool, in context: DeliveryContext) {}

  /// The state before a batch or a transaction.
  var snapshot: Any? { nil }

  /// Restores the state; nil is the initial one.
  func restore(_ snapshot: Any?) {}

  /// Called at the end of a batch, with the state before it.
  ///
  /// - Parameter isChange: whether the value differs from the one before the batch.
  func finishBatch(from snapshot: Any?, isChange: Bool) {}

  /// Called after a batch or a transaction, unless a change is delivered that says the same.
  func batchHasEnded(of field: AnyField) {}
}

/// The observers of a field's load phase, and the phases that wait to be delivered.
///
/// Without the type of the value, so that the kinds of fields share its code.
final class PhaseObservers: FieldDeliverer {
  let list = Multicast<(Any) -> Void>()
  var waiting = FIFO<Any>()

  init() {
    super.init { field, _ in
      guard let observers = field.details?.phaseObservers,
        let phase = observers.waiting.popFirst()
      else { return }
      observers.list.invokeEach { $0(phase) }
    }
  }
}

/// A part that is attached to a field, such as its transformers or its appearance.
package protocol FieldExtra: AnyObject {}

/// An extra in the list of a field.
private final class ExtraLink {
  let part: any FieldExtra
  let next: ExtraLink?

  init(_ part: any FieldExtra, next: ExtraLink?) {
    self.part = part
    self.next = next
  }
}

/// A derived field, held weakly by its sources.
struct WeakFollower {
  weak var follower: (any Follower)?
}

/// Makes reads of a field tracked by SwiftUI and `withObservationTracking`.
///
/// It is not generic: a key path on a generic class costs microseconds, on this one 70 nanoseconds.
@usableFromInline
final class FieldTracker: Observable {
  private let registrar = ObservationRegistrar()
  private var value: Void { () }

  init() {}

  @usableFromInline
  func noteAccess() {
    registrar.access(self, keyPath: \.value)
  }

  @usableFromInline
  func willChange() {
    registrar.willSet(self, keyPath: \.value)
  }

  @usableFromInline
  func didChange() {
    registrar.didSet(self, keyPath: \.value)
  }
}

extension AnyField {
  /// Whether reads inside `withObservationTracking`, and so in SwiftUI, follow this field.
  ///
  /// It costs nothing until it is requested. A form model requests it for its fields.
  public final var isTracked: Bool { flags.contains(.isTracked) }

  /// Makes reads inside `withObservationTracking`, and so in SwiftUI, follow this field.
  @discardableResult
  public final func tracked() -> Self {
    let details = ensureDetails()
    if details.tracker == nil { details.tracker = FieldTracker() }
    flags.insert(.isTracked)
    return self
  }
}
