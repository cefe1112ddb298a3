import FieldstoneCore
public import Observation

/// The part that only some fields have; the others pay eight bytes for it.
@usableFromInline
final class FieldDetails {
  var name: String?
  var key: String?
  var order = 0
  var time: TimeSource?

  /// Why loading failed, while it is failed.
  var error: (any Error)?

  /// The part that follows the value.
  ///
  /// Set once and owned by hand, so that validating retains nothing.
  @exclusivity(unchecked) @usableFromInline
  private(set) var ownedAttachment: Unmanaged<FieldAttachment>?

  var attachment: FieldAttachment? { ownedAttachment?.takeUnretainedValue() }

  /// The other parts of the field; a list without an array, as most fields have none.
  private var extras: ExtraLink?

  /// Derived fields that are made from this one.
  var followers: [WeakFollower] = []

  /// The observers of the load state.
  var stateObservers: Multicast<() -> Void>?

  var tracker: FieldTracker?

  init() {}

  deinit {
    ownedAttachment?.release()
  }

  /// Composes the part onto the field that follows its value; a field has one.
  func attach(_ attachment: FieldAttachment) {
    if ownedAttachment == nil { ownedAttachment = .passRetained(attachment) }
  }

  /// The extra of a type, which a folder above has made.
  func extra<Extra: FieldExtra>(_ type: Extra.Type) -> Extra? {
    var next = extras
    while let extra = next {
      if let found = extra.part as? Extra { return found }
      next = extra.next
    }
    return nil
  }

  /// The same, made if it has to be.
  func ensureExtra<Extra: FieldExtra>(_ make: @autoclosure () -> Extra) -> Extra {
    if let known = extra(Extra.self) { return known }
    let made = make()
    extras = ExtraLink(made, next: extras)
    return made
  }
}

/// A part that is composed onto a field from above and follows its value, such as its rules with
/// what they have found.
///
/// Deliveries call it, and do not know what it is for. A subclass overrides all of it.
@usableFromInline
class FieldAttachment {
  @usableFromInline
  init() {}

  /// Called with each set, before observers are notified.
  ///
  /// - Parameters:
  ///   - isChange: whether the value is another one.
  ///   - isRecording: whether the set may be taken back.
  func valueWasSet(of field: AnyField, isChange: Bool, isRecording: Bool) {}

  /// The state before a batch or a transaction.
  var snapshot: Any? { nil }

  /// Puts the state back; nil is the state in which it was made.
  func restore(_ snapshot: Any?) {}

  /// Called at the end of a batch, with the state before it.
  ///
  /// - Parameter isChange: whether the value is another one than before.
  func finishBatch(from snapshot: Any?, isChange: Bool) {}

  /// Called after a batch or a transaction, unless a change is delivered that says the same.
  func batchHasEnded(of field: AnyField) {}
}

/// A part that is composed onto a field from above, such as its transformers or its appearance.
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

/// A derived field, held weakly by what it is made from.
struct WeakFollower {
  weak var follower: (any Follower)?
}

/// Makes reads of a field tracked, so that SwiftUI and `withObservationTracking` follow it.
///
/// It is not generic: a key path on a generic class costs microseconds, on this one it costs 70
/// nanoseconds.
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
  /// It costs nothing until it is asked for. A form model asks for it for its fields.
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
