extension Field {
  /// Says how the value looks outside, in place of the type's own way.
  ///
  /// ```swift
  /// let born = Field<Date>("Born").transform(with: .date(format: "yyyy-MM-dd"))
  /// ```
  @discardableResult
  public final func transform(with transformer: FieldTransformer<Value>) -> Self {
    ensureDetails().transformer = transformer
    return self
  }
}

extension AnyField {
  /// Replaces what an earlier import found wrong.
  final func refuse(_ issue: FieldIssue) -> FieldImportResult {
    recordForBatch()
    let details = ensureDetails()
    details.tracker?.willChange()
    details.issues.removeAll { $0.source == .importing }
    details.issues.append(issue)
    details.tracker?.didChange()
    return .refused(issue)
  }
}
