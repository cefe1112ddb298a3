/// A file on its way in: pieces go to the disk, and the screen hears how many have come.
///
/// Either ``begin()`` or ``abandon()`` ends it; without one of them no other file is taken in.
actor ImportIntake {
  private let screen: ImportScreen
  private let imports: DirectoryImports
  private let reach: FaultReach
  private var file: UploadFile?
  private var told = 0
  private var hasEnded = false

  init(_ screen: ImportScreen, _ imports: DirectoryImports, reach: @escaping FaultReach) {
    self.screen = screen
    self.imports = imports
    self.reach = reach
  }

  /// Whether the file itself has begun to come.
  var isOpen: Bool { file != nil }

  /// Says what the file is called, before its first piece.
  func open(name: String) async throws {
    // A file that was not kept can't be imported.
    if try await reach().failsSave { throw FaultError.save }
    file = try imports.folder.begin(name: name)
  }

  /// Takes the next piece.
  func write(_ bytes: [UInt8]) async throws {
    try await file?.write(bytes)
  }

  /// Says how many bytes have come in all, those around the file included.
  func tell(received bytes: Int) async {
    // Each one would be more than anybody can see.
    guard bytes - told >= 1 << 16 else { return }
    told = bytes
    await screen.received(bytes)
  }

  /// Ends it, and begins to import the file, or to compare it with the directory.
  ///
  /// - Throws: ``UploadError``, and what the database throws; it has ended then, too.
  func begin(comparing: Bool = false) async throws {
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
  func abandon() async {
    guard !hasEnded else { return }
    hasEnded = true
    await file?.discard()
    await screen.receptionEnded()
  }
}
