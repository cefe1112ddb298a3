/// A field whose value has items with rules of their own.
///
/// The rules of the field are asked together with those of its items.
protocol ItemizedField: AnyField {
  /// The rules of an item, whatever its type; nil for none.
  var itemRules: FieldValidation? { get }

  /// What the field knows of its value being right; made where its items have rules.
  var rulesWithItems: FieldValidation? { get }

  /// What the synchronous rules of the items find.
  ///
  /// - Parameter all: whether to ask about items, too, whose values were asked about already.
  func issuesByItem(all: Bool) -> [FieldItemID: [FieldIssue]]

  /// What to ask the asynchronous rules of the items.
  var questionsOfItems: [FieldCheck.Question] { get }

  /// What was found wrong with single items, with the place where they are now.
  var issuesInOrder: [FieldIssue] { get }
}

/// A field that makes rules for values of its type.
private protocol RuledField: AnyField {
  func makeRules() -> FieldValidation
}

extension Field: RuledField {
  fileprivate func makeRules() -> FieldValidation { FieldRules<Value>() }
}

extension AnyField {
  /// The field as one with items; nil where it has none.
  final var itemized: (any ItemizedField)? {
    flags.contains(.hasItems) ? self as? any ItemizedField : nil
  }

  /// What the field knows of its value being right, without what its items would add.
  final var validation: FieldValidation? {
    // No other folder attaches anything.
    details?.attachment.map { unsafeDowncast($0, to: FieldValidation.self) }
  }

  /// What the field knows of its value being right; nil where it has no rules.
  final var rules: FieldValidation? { itemized?.rulesWithItems ?? validation }

  /// The same, made if it has to be: of a ``Field`` for values of its type.
  final func ensureValidation() -> FieldValidation {
    if let validation { return validation }
    let made = (self as? any RuledField)?.makeRules() ?? FieldValidation()
    ensureDetails().attach(made)
    return made
  }
}

extension Field {
  final func ensureRules() -> FieldRules<Value> {
    // Made above, for values of this type.
    unsafeDowncast(ensureValidation(), to: FieldRules<Value>.self)
  }
}
