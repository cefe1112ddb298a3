extension AnyField {
  /// All that is wrong with the value as it is: what its rules have found, warnings included, and
  /// what was added from outside.
  public final var issues: [FieldIssue] {
    if flags.contains(.isTracked) { details?.tracker?.noteAccess() }
    return currentIssues
  }

  /// Adds an issue that stays until the next set or validation, whichever comes first.
  ///
  /// An error among them makes the field invalid. (Seed: MagneticFields' appended errors.)
  public final func addIssue(_ issue: FieldIssue) {
    recordForBatch()
    let details = ensureDetails()
    details.tracker?.willChange()
    details.issues.append(issue)
    details.tracker?.didChange()
    notifyValidation()
  }

  /// Drops the issues that were added.
  public final func removeIssues() {
    guard let details, !details.issues.isEmpty else { return }
    recordForBatch()
    details.tracker?.willChange()
    details.issues = []
    details.tracker?.didChange()
    notifyValidation()
  }
}
