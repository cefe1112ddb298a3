/// What an import needs from outside; none of it is state of the import.
public struct ImportServices: Sendable {
  let directory: AirportDirectory
  let rejects: RejectsFile
  let zones = TimeZoneCatalog()
  let progress: @Sendable (ImportProgress) -> Void

  /// Makes the services for importing into a directory.
  ///
  /// `progress` is called after every batch that was stored.
  public init(
    directory: AirportDirectory, progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) {
    self.directory = directory
    self.progress = progress
    rejects = RejectsFile(database: directory.path)
  }
}
