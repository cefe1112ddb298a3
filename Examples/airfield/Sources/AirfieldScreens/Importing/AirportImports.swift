public import AirfieldDirectory
import Foundation

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

/// A file on its way in: pieces go to the disk, and the screen hears how many have come.
///
/// Either ``begin()`` or ``abandon()`` ends it; without one of them no other file is taken in.
public actor ImportIntake {
  private let screen: ImportScreen
  private let imports: any AirportImports
  private var file: UploadFile?
  private var told = 0
  private var hasEnded = false

  init(_ screen: ImportScreen, imports: any AirportImports) {
    self.screen = screen
    self.imports = imports
  }

  /// Whether the file itself has begun to come.
  public var isOpen: Bool { file != nil }

  /// Says what the file is called, before its first piece.
  ///
  /// - Throws: ``AirfieldDirectory/UploadError``.
  public func open(name: String) throws {
    file = try imports.receive(name: name)
  }

  /// Takes the next piece.
  ///
  /// - Throws: ``AirfieldDirectory/UploadError``.
  public func write(_ bytes: [UInt8]) async throws {
    try await file?.write(bytes)
  }

  /// Says how many bytes have come in all, those around the file included.
  public func tell(received bytes: Int) async {
    // Each one would be more than anybody can see.
    guard bytes - told >= 1 << 16 else { return }
    told = bytes
    await screen.received(bytes)
  }

  /// Ends it, and begins to import the file, or to compare it with the directory.
  ///
  /// - Throws: ``AirfieldDirectory/UploadError``, and what the database throws; it has ended then,
  ///   too.
  public func begin(comparing: Bool = false) async throws {
    guard !hasEnded, let file else { return }
    hasEnded = true
    do {
      let uploaded = try await file.finish()
      if comparing { return await screen.compare(uploaded) }
      try await imports.begin(uploaded)
    } catch {
      await file.discard()
      await screen.receptionEnded()
      throw error
    }
    await screen.receptionEnded()
  }

  /// Gives it up; nothing of it stays.
  public func abandon() async {
    guard !hasEnded else { return }
    hasEnded = true
    await file?.discard()
    await screen.receptionEnded()
  }

  /// Takes in a file of this machine, and begins to import it.
  func take(fileAt path: String) async throws {
    do {
      let source = try Self.reading(path)
      defer { try? source.close() }
      try open(name: path)
      var count = 0
      while let piece = try Self.piece(of: source, path), !piece.isEmpty {
        try await write(Array(piece))
        count += piece.count
        await tell(received: count)
      }
    } catch {
      await abandon()
      throw error
    }
    try await begin()
  }

  private static func reading(_ path: String) throws -> FileHandle {
    do {
      return try FileHandle(forReadingFrom: URL(filePath: path))
    } catch {
      throw UploadError.cannotRead(path: path, reason: error.localizedDescription)
    }
  }

  private static func piece(of file: FileHandle, _ path: String) throws -> Data? {
    do {
      return try file.read(upToCount: 1 << 16)
    } catch {
      throw UploadError.cannotRead(path: path, reason: error.localizedDescription)
    }
  }
}
