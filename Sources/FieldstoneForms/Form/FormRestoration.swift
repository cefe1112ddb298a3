import FieldstoneFields

/// Fields that a form has set inside a batch or an observer, so that they are delivered later.
///
/// Bindings act in that delivery. Outside of a batch and an observer they have acted when the form
/// has set its fields, and it sets those again.
@MainActor
final class FormRestoration {
  /// What has set the fields.
  enum Cause {
    case undo, newerValues, filling, reset
  }

  /// The delivery of the fields.
  let delivery: FormHistory.Delivery
  let cause: Cause

  /// Whether that delivery was under way when the form set them.
  private let isInsideDelivery = FormHistory.Delivery.current != nil

  /// The revisions of the fields whose state the form has noted, by their places.
  private var revisions: [Int: Int] = [:]

  /// The states of the fields that were set by themselves, and not by a binding.
  private var own: [Int: FormSnapshot] = [:]

  /// The fields of the form.
  private let fields: [ObjectIdentifier: FormField]

  /// The places of those that were put back after a binding had set them.
  private var corrected: Set<Int> = []

  /// The fields that were edited since.
  private var edited: Set<ObjectIdentifier> = []

  /// Notes what was set.
  ///
  /// - Parameters:
  ///   - own: the fields that were set by themselves.
  ///   - form: the form; it has noted the state of all its fields, or after an undo of these.
  ///   - earlier: what was set earlier, and is delivered together with this.
  init(
    _ own: [FormField], of form: FormModel, by cause: Cause, in delivery: FormHistory.Delivery,
    after earlier: FormRestoration?
  ) {
    self.delivery = delivery
    fields = form.fieldsByIdentity
    let known = cause == .undo ? own : form.fields
    // While the form began anew, observers of validity may have set fields that it had noted.
    let isBeginning = cause == .filling || cause == .reset
    switch cause {
    case .filling, .reset: self.cause = cause
    case .undo, .newerValues:
      self.cause = cause == .undo ? earlier?.cause ?? cause : cause
      if let earlier {
        (revisions, self.own) = (earlier.revisions, earlier.own)
        (corrected, edited) = (earlier.corrected, earlier.edited)
      }
    }
    for field in known {
      revisions[field.position] = isBeginning ? field.firstRevision : field.field.revision
    }
    for field in own {
      self.own[field.position] = isBeginning ? field.last : field.snapshot
      corrected.remove(field.position)
      edited.remove(ObjectIdentifier(field.field))
    }
  }

  /// Whether a change is no newer than what the form knows of the field.
  func knows(_ change: FormChange, of field: FormField) -> Bool {
    revisions[field.position].map { change.revision <= $0 } ?? false
  }

  /// Whether a change comes through bindings from a field of the form that was not edited since.
  func leads(to change: FormChange) -> Bool {
    guard change.origin == .binding, let root = change.root else { return false }
    return fields[root] != nil && !edited.contains(root)
  }

  /// Whether a change may come from a restored field through one that is not in the form.
  ///
  /// Inside a delivery that is more likely than another cause, and nothing is lost by it. In a batch
  /// somebody may have set that field.
  func mayLead(to change: FormChange) -> Bool {
    isInsideDelivery && change.origin == .binding
      && change.root.map { fields[$0] == nil } ?? true
  }

  func noteEdit(of field: FormField) { edited.insert(ObjectIdentifier(field.field)) }

  /// Puts a field back that a binding has set; once, as fields bound in a circle would set each other
  /// for ever.
  ///
  /// - Returns: whether it had a state of its own, and was not put back before.
  func putBack(_ field: FormField) -> Bool {
    let place = field.position
    guard let own = own[place], corrected.insert(place).inserted else { return false }
    field.put(own.value)
    field.putDrafts(of: own)
    revisions[place] = field.field.revision
    return true
  }

  /// Takes up the revisions of fields that a rollback has returned to their noted states.
  func followRollback(of fields: [FormField]) {
    for field in fields where field.isSame(field.last, field.snapshot) {
      if revisions[field.position] != nil { revisions[field.position] = field.field.revision }
    }
  }

  /// Whether a field that has followed counts as unmodified.
  func movesBaseline(of field: FormField) -> Bool {
    switch cause {
    case .filling: true
    case .newerValues: own[field.position] == nil
    case .undo, .reset: false
    }
  }
}

extension FormModel {
  /// Notes what was set, if it is delivered later.
  ///
  /// - Parameter own: the fields that were set by themselves, and not by a binding.
  func noteRestored(_ own: [FormField], by cause: FormRestoration.Cause) {
    guard let delivery = FormHistory.Delivery.ofChange else {
      restoration = nil
      return
    }
    restoration = FormRestoration(
      own, of: self, by: cause, in: delivery,
      after: restoration?.delivery == delivery ? restoration : nil)
  }

  /// Follows a change that belongs to what was restored, and notes others as edits.
  ///
  /// - Returns: whether it belongs to that.
  func follows(_ field: FormField, _ change: FormChange) -> Bool {
    guard let restoration, restoration.delivery == FormHistory.Delivery.current else {
      return false
    }
    // Something else has set the field meanwhile, whose change comes next.
    if restoration.knows(change, of: field) {
      refresh(field)
      return true
    }
    guard restoration.leads(to: change) else {
      if restoration.mayLead(to: change) {
        field.last = field.snapshot
        followRestored(field)
        return true
      }
      restoration.noteEdit(of: field)
      return false
    }
    if !restoration.putBack(field) {
      field.last = field.snapshot
      if restoration.movesBaseline(of: field) { moveBaseline(of: field, to: field.adapter.value) }
    }
    switch restoration.cause {
    case .undo, .newerValues: followRestored(field)
    case .filling, .reset:
      updateModified(field)
      refresh(field)
    }
    return true
  }
}
