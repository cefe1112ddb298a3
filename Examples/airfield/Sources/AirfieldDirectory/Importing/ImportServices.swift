/// What an import needs from outside; none of it is state of the import.
package struct ImportServices: Sendable {
  let directory: AirportDirectory
  let rejects: RejectsFile
  let zones = TimeZoneCatalog()
  let progress: @Sendable (ImportProgress) -> Void

  /// Whether an import that is found unfinished goes on; it is given up otherwise.
  let isWanted: @Sendable (ImportSource) -> Bool

  /// Whether the rejected rows of an import that is over stay in the database, to be looked at.
  let keepsRejects: Bool

  init(
    directory: AirportDirectory, keepsRejects: Bool = false,
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in },
    isWanted: @escaping @Sendable (ImportSource) -> Bool
  ) {
    self.directory = directory
    self.keepsRejects = keepsRejects
    self.progress = progress
    self.isWanted = isWanted
    rejects = RejectsFile(database: directory.path)
  }
}
