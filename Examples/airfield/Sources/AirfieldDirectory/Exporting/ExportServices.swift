/// What an export needs from outside; none of it is state of the export.
package struct ExportServices: Sendable {
  let directory: AirportDirectory

  /// The export that was asked for; others that are found unfinished are set aside.
  let wanted: ExportRequest

  let poster: PagePoster
  let progress: @Sendable (ExportProgress) -> Void
}
