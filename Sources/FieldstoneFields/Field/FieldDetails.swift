import FieldstoneCore

/// What only some fields have, so that the others pay eight bytes for it.
@usableFromInline
final class FieldDetails {
  var name: String?
  var key: String?
  var order = 0
  var time: TimeSource?

  /// Why loading failed, while it is failed.
  var error: (any Error)?

  /// Issues that were added from outside; the next set and the next validation drop them.
  @exclusivity(unchecked) var issues: [FieldIssue] = [] {
    didSet { hasIssues = !issues.isEmpty }
  }
  @exclusivity(unchecked) @usableFromInline private(set) var hasIssues = false

  /// The rules, with what is known of the value being right.
  ///
  /// Made once and owned by hand, so that validating retains nothing.
  @exclusivity(unchecked) @usableFromInline
  private(set) var ownedValidation: Unmanaged<FieldValidation>?

  var validation: FieldValidation? { ownedValidation?.takeUnretainedValue() }

  /// Derived fields that are made from this one.
  var followers: [WeakFollower] = []

  /// The observers of the load state.
  var stateObservers: Multicast<() -> Void>?

  var tracker: FieldTracker?

  /// How it is shown and put in, and how its value is typed: a `FieldTextFormat` of its type.
  var presentation: FieldPresentation?
  var textFormat: (any Sendable)?

  /// How the value looks outside: a `FieldTransformer` of the field's type.
  var transformer: (any Sendable)?

  /// The others, by the names under which they are asked for.
  var namedTransformers: [String: any Sendable] = [:]

  init() {}

  deinit {
    ownedValidation?.release()
  }

  func ensureValidation(_ make: () -> FieldValidation) -> FieldValidation {
    if let validation { return validation }
    let made = make()
    ownedValidation = .passRetained(made)
    return made
  }
}

/// A derived field, held weakly by what it is made from.
struct WeakFollower {
  weak var follower: (any Follower)?
}
