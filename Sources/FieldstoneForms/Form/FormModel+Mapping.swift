public import FieldstoneFields

/// Which fields belong to which parts of a type.
final class FormMapping<Model> {
  /// Each sets a field, or sees to it that its value is the model's.
  var reads: [(Model, _ isFirst: Bool) -> Void] = []

  /// Why a part can't be written is returned: a generic closure with a typed throw crashes the
  /// compiler (Swift 6.3).
  var writes: [(inout Model) -> FormError?] = []
}

extension FormModel {
  /// Says which field a part of a model belongs to, for ``fill(from:)`` and ``apply(to:)``.
  ///
  /// ```swift
  /// form.map(\Airport.name, to: name).map(\Airport.latitude, to: latitude)
  /// ```
  ///
  /// - Returns: the form, for the next part.
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

  /// Says which field a part of a model belongs to that may be nil.
  ///
  /// - Returns: the form, for the next part.
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

  /// Fills the form from a model, and makes that the beginning of an edit: nothing is modified,
  /// touched or validated, and there is nothing to undo.
  ///
  /// - Throws: ``FormError/notMapped(type:)``; then nothing is filled.
  public func fill<Model>(from model: Model) throws(FormError) {
    let mapping = try knownMapping(of: Model.self)
    setBack { for read in mapping.reads { read(model, true) } }
    // Bindings may have set what follows another field in between.
    setBack { for read in mapping.reads { read(model, false) } }
    beginEditing()
  }

  /// Takes a newer version of the model that is edited: fields that were not modified take its
  /// values; those that were keep theirs, and count as modified against the new ones.
  ///
  /// - Throws: ``FormError/notMapped(type:)``; then nothing is changed.
  public func rebaseline<Model>(from model: Model) throws(FormError) {
    let mapping = try knownMapping(of: Model.self)
    rebaseline { for read in mapping.reads { read(model, true) } }
  }

  /// Writes the values into a model; parts that no field belongs to stay as they are.
  ///
  /// - Throws: ``FormError/notMapped(type:)``, or ``FormError/missingValue(key:)`` when a part
  ///   needs a value and its field has none; then the model is as it was.
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
