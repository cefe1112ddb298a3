extension AnyField {
  /// What was found wrong from outside; the next set drops it.
  public final var issues: [FieldIssue] {
    if flags.contains(.isTracked) { details?.tracker?.noteAccess() }
    return details?.issues ?? []
  }

  /// Adds an issue that stays until the next set.
  public final func addIssue(_ issue: FieldIssue) {
    recordForBatch()
    let details = ensureDetails()
    details.tracker?.willChange()
    details.issues.append(issue)
    details.tracker?.didChange()
  }

  /// Drops the issues that were added.
  public final func removeIssues() {
    guard let details, !details.issues.isEmpty else { return }
    recordForBatch()
    details.tracker?.willChange()
    details.issues = []
    details.tracker?.didChange()
  }
}
