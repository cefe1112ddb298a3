public import Foundation

/// What a server answered.
public struct ServerResponse: Sendable, Hashable {
  /// The status code, such as 200.
  public var status: Int

  /// The headers, found whatever their case.
  public var headers: ResponseHeaders

  /// The body; empty where there is none.
  public var body: Data

  /// The address that answered, after redirects; nil where it isn't known.
  public var url: URL?

  /// Makes an answer, for tests and previews say.
  public init(
    status: Int, headers: ResponseHeaders = [:], body: Data = Data(), url: URL? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}
