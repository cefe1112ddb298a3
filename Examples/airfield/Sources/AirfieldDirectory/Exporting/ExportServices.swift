/// What an export needs from outside; none of it is state of the export.
package struct ExportServices: Sendable {
  let directory: AirportDirectory

  /// The export that was asked for, or nil for any; others that are found unfinished are set aside.
  let wanted: ExportRequest?

  /// How many airports a page of the nightly export has.
  let pageSize: Int

  let poster: PagePoster
  let progress: @Sendable (ExportProgress) -> Void

  /// Makes services.
  ///
  /// - Parameters:
  ///   - directory: what is exported.
  ///   - wanted: the export that was asked for; nil where each one goes on, as those of a schedule do.
  ///   - pageSize: how many airports a page of the nightly export has.
  ///   - poster: what pages are posted with.
  ///   - progress: called with what is out.
  package init(
    directory: AirportDirectory, wanted: ExportRequest?, pageSize: Int = ExportRequest.pageSize,
    poster: PagePoster = PagePoster(),
    progress: @escaping @Sendable (ExportProgress) -> Void = { _ in }
  ) {
    self.directory = directory
    self.wanted = wanted
    self.pageSize = pageSize
    self.poster = poster
    self.progress = progress
  }
}
