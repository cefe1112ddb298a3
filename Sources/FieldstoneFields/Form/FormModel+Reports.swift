extension FormModel {
  /// Shows at the fields what others have found, such as a server.
  ///
  /// Each source speaks for itself: its report takes the place of its last one, and leaves those of
  /// other sources alone. What is reported of a field goes with the field's next change; it never
  /// keeps the form from being submitted again.
  ///
  /// - Parameters:
  ///   - issues: what is wrong. The first step of each path is the key of a field; issues without
  ///     a path, and those for keys that no field has, belong to the form.
  ///   - source: the name of the reporter.
  public func report(_ issues: [FieldIssue], from source: String = "server") {
    removeReports(from: source)
    for issue in issues {
      var issue = issue
      issue.source = .server
      if let key = issue.path.first, let field = self[key] {
        issue.path.removeFirst()
        field.reported[source, default: []].append(issue)
      } else {
        reported[source, default: []].append(issue)
      }
    }
  }

  /// Drops what others have reported.
  ///
  /// - Parameter source: whose reports are dropped; those of all when it is nil.
  public func removeReports(from source: String? = nil) {
    for field in fields where !field.reported.isEmpty {
      if let source { field.reported[source] = nil } else { field.reported = [:] }
    }
    if reported.isEmpty { return }
    if let source { reported[source] = nil } else { reported = [:] }
  }
}
