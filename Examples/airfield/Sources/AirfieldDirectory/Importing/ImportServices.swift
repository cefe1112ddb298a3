/// What an import needs from outside; none of it is state of the import.
package struct ImportServices: Sendable {
  let directory: AirportDirectory
  let rejects: RejectsFile
  let zones = TimeZoneCatalog()
  let progress: @Sendable (ImportProgress) -> Void

  /// The import that was asked for; others that are found unfinished are given up.
  let wanted: ImportSource

  init(
    directory: AirportDirectory, wanted: ImportSource,
    progress: @escaping @Sendable (ImportProgress) -> Void
  ) {
    self.directory = directory
    self.wanted = wanted
    self.progress = progress
    rejects = RejectsFile(database: directory.path)
  }
}
