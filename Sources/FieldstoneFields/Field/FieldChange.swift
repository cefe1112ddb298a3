extension ReadableField {
  /// One change of a field, as its observers hear it.
  public struct Change {
    /// The value before; in the first call of an observer the same as `new`.
    public let old: Value?
    /// The value now: the one that was set, also when it has been set again since.
    public let new: Value?
    /// Where it came from.
    public let origin: ChangeOrigin
    /// The field's revision that the change led to.
    public let revision: Int

    /// The field at which this wave of bindings began, and its revision then.
    @usableFromInline let wave: FieldWave

    @inlinable
    init(old: Value?, new: Value?, origin: ChangeOrigin, revision: Int, wave: FieldWave) {
      self.old = old
      self.new = new
      self.origin = origin
      self.revision = revision
      self.wave = wave
    }

    /// Makes a change, for tests of what observes.
    public init(old: Value?, new: Value?, origin: ChangeOrigin = .code, revision: Int = 1) {
      self.init(
        old: old, new: new, origin: origin, revision: revision,
        wave: FieldWave(root: nil, systemStamp: .nan))
    }
  }
}

extension ReadableField.Change: Sendable where Value: Sendable {}
