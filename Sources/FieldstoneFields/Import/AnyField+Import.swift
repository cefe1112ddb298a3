extension AnyField {
  /// Sets the field to a JSON value, which the field's transformer reads.
  ///
  /// Nil means that there is no value for the field, and leaves it untouched; `JSONValue.null` sets
  /// it to nil. A malformed value is refused: the field keeps its own and gets an issue, which
  /// replaces those of earlier imports. Fields that can't be set stay untouched.
  ///
  /// - Parameters:
  ///   - json: the JSON value.
  ///   - name: the name of the transformer; a field without one of that name uses its usual one.
  @discardableResult
  public final func importValue(
    _ json: JSONValue?, with name: String? = nil
  ) -> FieldImportResult {
    guard let json, let field = self as? any SettableField else { return .untouched }
    return field.take(json, with: name)
  }

  /// The value as JSON, written by the field's transformer: null if it is nil, nil if it is not
  /// known.
  ///
  /// - Parameter name: the name of the transformer; a field without one of that name uses its usual
  ///   one.
  /// - Throws: an issue when there is no transformer, or the value can't be written.
  public final func exportValue(with name: String? = nil) throws(FieldIssue) -> JSONValue? {
    try (self as? any TransformedField)?.give(with: name)
  }

  /// Copies the value, and writes it as JSON when the closure is called, on any thread; nil if it is
  /// not known or can't be written.
  package final var laterJSON: @Sendable () -> JSONValue? {
    guard let field = self as? any TransformedField else { return { nil } }
    return field.givenLater
  }

  /// Whether it can be set, and so can be imported.
  final var isSettable: Bool { self is any SettableField }

  /// Replaces the issues of earlier imports.
  final func refuse(_ issue: FieldIssue) -> FieldImportResult {
    recordForBatch()
    let validation = ensureValidation()
    details?.tracker?.willChange()
    validation.added.removeAll { $0.source == .importing }
    validation.added.append(issue)
    details?.tracker?.didChange()
    notifyValidation()
    return .refused(issue)
  }
}

extension Field {
  /// Gives the field a transformer to JSON, in place of the default of its type.
  ///
  /// ```swift
  /// let born = Field<Date>("Born").transform(with: .date(format: "yyyy-MM-dd"))
  /// ```
  @discardableResult
  public final func transform(with transformer: FieldTransformer<Value>) -> Self {
    ensureDetails().ensureExtra(FieldTransformers<Value>()).usual = transformer
    return self
  }

  /// Gives the field a transformer for one of several JSON forms, such as that of a server's older
  /// API. (Seed: MagneticFields' named transformers.)
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
    ensureDetails().ensureExtra(FieldTransformers<Value>()).named[name] = transformer
    return self
  }
}

// MARK: - By type

/// A field that can be set from JSON.
private protocol SettableField: AnyField {
  func take(_ json: JSONValue, with name: String?) -> FieldImportResult
}

/// A field whose value can be written as JSON.
private protocol TransformedField: AnyField {
  func give(with name: String?) throws(FieldIssue) -> JSONValue?
  var givenLater: @Sendable () -> JSONValue? { get }
}

/// A field whose value has items with their own transformers.
protocol ItemTransformingField<Value>: AnyField {
  associatedtype Value

  /// The transformer of the value under a name; nil where neither the field nor its items have one.
  func transformerOfItems(named name: String?) -> FieldTransformer<Value>?
}

/// The transformers that a field was given.
final class FieldTransformers<Value>: FieldExtra {
  var usual: FieldTransformer<Value>?

  /// The other ones, by name.
  var named: [String: FieldTransformer<Value>] = [:]
}

extension Field: SettableField {
  fileprivate func take(_ json: JSONValue, with name: String?) -> FieldImportResult {
    if json == .null {
      set(nil, origin: .importing)
      return .imported
    }
    guard let transformer = transformer(named: name) else {
      return refuse(.noTransformer(for: Value.self))
    }
    do throws(FieldIssue) {
      set(try transformer.value(of: json), origin: .importing)
      return .imported
    } catch {
      return refuse(error)
    }
  }
}

extension ReadableField: TransformedField {
  fileprivate func give(with name: String?) throws(FieldIssue) -> JSONValue? {
    bringUpToDate()
    if flags.contains(.isTracked) { noteAccess() }
    guard isKnown else { return nil }
    guard let value = storage else { return .null }
    guard let transformer = transformer(named: name) else {
      throw .noTransformer(for: Value.self)
    }
    return try transformer.json(of: value)
  }

  fileprivate var givenLater: @Sendable () -> JSONValue? {
    bringUpToDate()
    if flags.contains(.isTracked) { noteAccess() }
    guard isKnown else { return { nil } }
    guard let value = storage else { return { .null } }
    // The default one is looked for later, because that takes time.
    let known = flags.contains(.hasItems) ? transformer : ownTransformer(named: nil)
    return { try? (known ?? .standard)?.json(of: value) }
  }

  /// The transformer that the field was given; otherwise the default one of its type.
  package final var transformer: FieldTransformer<Value>? { transformer(named: nil) }

  /// The transformer of a name; the usual one if the field has none of that name.
  final func transformer(named name: String?) -> FieldTransformer<Value>? {
    if flags.contains(.hasItems), let field = self as? any ItemTransformingField<Value> {
      return field.transformerOfItems(named: name)
    }
    return ownTransformer(named: name) ?? ownTransformer(named: nil) ?? .standard
  }

  /// The transformer that was given under a name, or without one.
  package final func ownTransformer(named name: String?) -> FieldTransformer<Value>? {
    guard let known = details?.extra(FieldTransformers<Value>.self) else { return nil }
    return name.map { known.named[$0] } ?? known.usual
  }
}
