/// How an import ended.
package enum ImportEnd: Sendable, Equatable, Codable {
  /// The file was read to its end.
  case imported(ImportSummary)

  /// The file can't be imported, or no further.
  case refused(ImportError)

  /// Another import was asked for after this one had stopped; what it stored stays.
  case abandoned
}
