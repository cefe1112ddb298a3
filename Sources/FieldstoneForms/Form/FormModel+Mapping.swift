public import FieldstoneFields

/// The mapping from the properties of a type to fields.
final class FormMapping<Model> {
  /// Each sets a field; after the first pass, only if its value differs from the model's.
  var reads: [(Model, _ isFirst: Bool) -> Void] = []

  /// Each returns the reason why a property can't be written: a generic closure with a typed throw
  /// crashes the compiler (Swift 6.3).
  var writes: [(inout Model) -> FormError?] = []
}

extension FormModel {
  /// Maps a property of a model to a field, for ``fill(from:)`` and ``apply(to:)``.
  ///
  /// ```swift
  /// form.map(\Airport.name, to: name).map(\Airport.latitude, to: latitude)
  /// ```
  ///
  /// - Returns: the form, for the next property.
  @discardableResult
  public func map<Model, Value>(
    _ keyPath: WritableKeyPath<Model, Value>, to field: Field<Value>
  ) -> FormModel {
    let mapping = mapping(of: Model.self)
    mapping.reads.append { model, isFirst in
      let value = model[keyPath: keyPath]
      if isFirst || !isSame(field.storage, value) { field.set(value, origin: .restoring) }
    }
    mapping.writes.append { model in
      guard let value = field.value else { return .missingValue(key: field.key) }
      model[keyPath: keyPath] = value
      return nil
    }
    return self
  }

  /// Maps an optional property of a model to a field.
  ///
  /// - Returns: the form, for the next property.
  @discardableResult
  public func map<Model, Value>(
    _ keyPath: WritableKeyPath<Model, Value?>, to field: Field<Value>
  ) -> FormModel {
    let mapping = mapping(of: Model.self)
    mapping.reads.append { model, isFirst in
      let value = model[keyPath: keyPath]
      if isFirst || !isSame(field.storage, value) { field.set(value, origin: .restoring) }
    }
    mapping.writes.append { model in
      model[keyPath: keyPath] = field.value
      return nil
    }
    return self
  }

  /// Fills the form from a model and begins a new edit.
  ///
  /// No field is modified, touched or validated then, and there is nothing to undo.
  ///
  /// - Throws: ``FormError/notMapped(type:)``; then nothing is filled.
  public func fill<Model>(from model: Model) throws(FormError) {
    let mapping = try knownMapping(of: Model.self)
    var given: [(field: FormField, value: FormValue)] = []
    setBack { given = values(setBy: { for read in mapping.reads { read(model, true) } }) }
    // Bindings may have set fields that follow another one meanwhile.
    setBack { for read in mapping.reads { read(model, false) } }
    beginEditing(with: given.map(\.field))
  }

  /// Sets the values of a newer version of the edited model in the unmodified fields.
  ///
  /// Modified fields keep theirs, and count as modified against the new values. An ``undo()`` of
  /// their edits leads to the new values.
  ///
  /// - Throws: ``FormError/notMapped(type:)``; then nothing is changed.
  public func rebaseline<Model>(from model: Model) throws(FormError) {
    let mapping = try knownMapping(of: Model.self)
    rebaseline { for read in mapping.reads { read(model, true) } }
  }

  /// Writes the values into a model; properties without a field stay as they are.
  ///
  /// - Throws: ``FormError/notMapped(type:)``, or ``FormError/missingValue(key:)`` when a property
  ///   needs a value and its field has none; then the model is unchanged.
  public func apply<Model>(to model: inout Model) throws(FormError) {
    let mapping = try knownMapping(of: Model.self)
    var changed = model
    for write in mapping.writes {
      if let error = write(&changed) { throw error }
    }
    model = changed
  }

  private func mapping<Model>(of type: Model.Type) -> FormMapping<Model> {
    if let known = mappings[ObjectIdentifier(type)] as? FormMapping<Model> { return known }
    let made = FormMapping<Model>()
    mappings[ObjectIdentifier(type)] = made
    return made
  }

  private func knownMapping<Model>(
    of type: Model.Type
  ) throws(FormError) -> FormMapping<Model> {
    guard let known = mappings[ObjectIdentifier(type)] as? FormMapping<Model> else {
      throw .notMapped(type: "\(type)")
    }
    return known
  }
}
