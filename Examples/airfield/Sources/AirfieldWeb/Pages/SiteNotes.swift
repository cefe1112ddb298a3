import AirfieldScreens

/// What every page says of the whole, above its content.
struct SiteNotes {
  /// Whether faults are switched on.
  var hasFaults = false

  /// Whether the database can't be written.
  var isReadOnly = false

  /// Whether there is a page of the nightly export.
  var hasExports = false
}

extension SiteNotes {
  @MainActor
  init(_ model: AirfieldModel) {
    self.init(
      hasFaults: model.faults.faults.isAny, isReadOnly: model.source.isReadOnly,
      hasExports: model.nightly != nil && !model.source.isReadOnly)
  }
}
