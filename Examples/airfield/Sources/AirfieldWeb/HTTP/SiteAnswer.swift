/// What the site answers: all at once, or bit by bit.
public enum SiteAnswer: Sendable {
  /// All at once.
  case response(SiteResponse)
  /// A file, which is read while it is sent.
  case download(SiteDownload)
  /// Events, until the client goes or the visitor is forgotten.
  case events(LiveStream)
}
