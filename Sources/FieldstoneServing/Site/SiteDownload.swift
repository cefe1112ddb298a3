/// A file that is made while it is sent, with only one piece of it in memory.
public struct SiteDownload: Sendable {
  /// The headers by name, without a length.
  public let headers: [String: String]
  private let pieces: @Sendable (_ take: Take) async throws -> Void

  /// Sends a piece, and returns when the client can receive another one.
  public typealias Take = @Sendable ([UInt8]) async throws -> Void

  /// Makes a download of the pieces that a closure passes on.
  ///
  /// If the closure throws, the connection is closed without the mark for the end of the file, and
  /// browsers report an incomplete file. HTTP/1.0 clients can't detect this.
  ///
  /// - Parameters:
  ///   - headers: the headers besides those of every page, or instead of them, whatever the case of
  ///     their names.
  ///   - pieces: passes each piece to `take`, and rethrows its errors.
  public init(
    headers: [String: String], pieces: @escaping @Sendable (_ take: Take) async throws -> Void
  ) {
    self.headers = SiteResponse.headers(SiteResponse.pageHeaders, replacedBy: headers)
    self.pieces = pieces
  }

  /// Passes on the pieces one at a time.
  ///
  /// - Throws: the first error of making or taking a piece.
  public func forEachPiece(_ take: Take) async throws {
    try await pieces(take)
  }
}
