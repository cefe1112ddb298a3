/// What an export needs from outside; none of it is state of the export.
package struct ExportServices: Sendable {
  let directory: AirportDirectory

  /// The export that was asked for; others that are found unfinished are set aside.
  let wanted: ExportRequest

  let poster: PagePoster
  let progress: @Sendable (ExportProgress) -> Void

  /// Makes services.
  ///
  /// - Parameters:
  ///   - directory: what is exported.
  ///   - wanted: the export that was asked for.
  ///   - poster: what pages are posted with.
  ///   - progress: called with what is out.
  package init(
    directory: AirportDirectory, wanted: ExportRequest, poster: PagePoster = PagePoster(),
    progress: @escaping @Sendable (ExportProgress) -> Void = { _ in }
  ) {
    self.directory = directory
    self.wanted = wanted
    self.poster = poster
    self.progress = progress
  }
}
