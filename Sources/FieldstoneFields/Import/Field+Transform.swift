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

  /// Says how the value looks in one of several places outside, such as a server's older interface.
  /// (Seed: MagneticFields' named transformers.)
  ///
  /// ```swift
  /// let born = Field<Date>("born")
  ///   .transform(with: .date(format: "yyyy-MM-dd"))
  ///   .transform(with: .date(format: "dd/MM/yyyy"), named: "legacy")
  /// let row = try person.exportValues(with: "legacy")
  /// ```
  ///
  /// An import or export that gives the name uses it. Fields without a transformer of that name use
  /// their usual one.
  @discardableResult
  public final func transform(
    with transformer: FieldTransformer<Value>, named name: String
  ) -> Self {
    ensureDetails().namedTransformers[name] = transformer
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
