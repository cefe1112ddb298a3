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
  /// Only one task may read at a time, and only until the site has answered.
  ///
  /// - Throws: an error if the client disconnects or is too slow; the answer is then not sent.
  ///   `CancellationError` if the reading task is cancelled, for example by a time limit of the
  ///   site; no bytes are lost, and the answer is sent. A `DescribedError` if another task reads,
  ///   or the site has answered.
  public func next() async throws -> [UInt8]? {
    try await read()
  }
}
