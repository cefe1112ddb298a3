/// The body of a form with files, read piece by piece while it arrives.
public struct SiteBody: Sendable {
  /// The number of bytes that the client announced.
  public let length: Int
  private let read: @Sendable () async throws -> [UInt8]?

  /// Makes a body from a closure that reads it and returns nil at the end.
  public init(length: Int, read: @escaping @Sendable () async throws -> [UInt8]?) {
    self.length = length
    self.read = read
  }

  /// The next piece, which is not empty; nil at the end.
  ///
  /// - Throws: an error if the client disconnects or is too slow. The answer is then not sent.
  public func next() async throws -> [UInt8]? {
    try await read()
  }
}
