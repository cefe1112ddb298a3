/// A file that is made while it is sent: one piece of it is held, however long it is.
public struct SiteDownload: Sendable {
  /// The headers by name, without a length.
  public let headers: [String: String]
  private let pieces: @Sendable (_ take: Take) async throws -> Void

  /// Sends a piece, and returns when the client can take another one.
  public typealias Take = @Sendable ([UInt8]) async throws -> Void

  /// Makes a download of what a closure passes on, piece after piece.
  ///
  /// An error that the closure throws ends the connection without the sign for the end of the file:
  /// browsers say that the file is not whole. Clients of HTTP/1.0 can't tell.
  ///
  /// - Parameters:
  ///   - headers: the headers besides ``SiteResponse/pageHeaders``.
  ///   - pieces: passes each piece to `take`, and rethrows its errors.
  public init(
    headers: [String: String], pieces: @escaping @Sendable (_ take: Take) async throws -> Void
  ) {
    self.headers = SiteResponse.pageHeaders.merging(headers) { $1 }
    self.pieces = pieces
  }

  /// Passes on one piece after the other.
  ///
  /// - Throws: the first error of making a piece or of taking one.
  public func forEachPiece(_ take: Take) async throws {
    try await pieces(take)
  }
}
