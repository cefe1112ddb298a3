public import AirfieldDirectory

/// Where files are taken in and imported.
///
/// The directory's imports are one; a test puts another in its place.
public protocol AirportImports: Sendable {
  /// The most bytes that a file may have.
  var limit: Int { get }

  /// Begins to take in a file that somebody calls so.
  func receive(name: String) throws -> UploadFile

  /// Begins to import a file that was taken in.
  func begin(_ file: UploadedFile) async throws

  /// What the import of a file that was taken in would do; the file stays.
  func preview(_ file: UploadedFile) async throws -> ImportPreview

  /// Removes a file that was taken in and is not to be imported.
  func discard(_ file: UploadedFile) async

  /// Something has changed, once for any number of changes that nobody has heard of yet.
  func changes() -> AsyncStream<Void>

  /// How the last import stands; nil where there was none, or it was given up.
  func status() async throws -> ImportStatus?

  /// Calls the import off that is under way.
  func cancel() async throws

  /// Lets the import go on that was cancelled or has failed.
  func resume() async throws

  /// Gives the import up that was cancelled or has failed.
  func giveUp() async throws

  /// All rejected rows of the last import, as CSV; nil where there are none.
  func rejectsText() async throws -> String?
}

extension DirectoryImports: AirportImports {
  /// The most bytes that a file may have.
  public var limit: Int { folder.limit }

  /// Begins to take in a file that somebody calls so.
  public func receive(name: String) throws -> UploadFile { try folder.begin(name: name) }
}
