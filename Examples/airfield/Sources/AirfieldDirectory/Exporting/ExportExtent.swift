/// What there is to export.
struct ExportExtent: Sendable, Equatable {
  /// How many airports there are; edits may make it one more or less before they are out.
  let total: Int

  /// Where the first page lies.
  let first: ExportRange
}
