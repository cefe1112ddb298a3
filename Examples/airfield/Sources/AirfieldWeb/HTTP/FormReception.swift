/// Whether a form with a file is taken.
public enum FormReception: Sendable {
  /// It is not, and this is said.
  case refused(SiteResponse)
  /// It is, by this.
  case upload(SiteUpload)
}
