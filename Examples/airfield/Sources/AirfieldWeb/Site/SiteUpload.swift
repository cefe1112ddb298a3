import AirfieldDirectory
import AirfieldScreens
import Fieldstone

/// A posted form with one file, on its way to the disk.
public actor SiteUpload {
  private let site: DirectorySite
  private let intake: ImportIntake
  private var reader: MultipartReader
  private var received = 0
  private var failure: (any Error)?

  /// Whether the part at hand is the file.
  private var isFile = false

  init(_ site: DirectorySite, _ intake: ImportIntake, _ reader: MultipartReader) {
    self.site = site
    self.intake = intake
    self.reader = reader
  }

  /// Takes the next bytes; after a failure they are let go.
  public func take(_ bytes: [UInt8]) async {
    guard failure == nil else { return }
    received += bytes.count
    do {
      for event in try reader.feed(bytes) { try await take(event) }
      await intake.tell(received: received)
    } catch {
      failure = error
      await intake.abandon()
    }
  }

  /// Answers the form, of which no more bytes will come.
  public func end() async -> SiteResponse {
    do {
      if let failure { throw failure }
      try reader.finish()
      guard await intake.isOpen else { throw MultipartError.noFile }
      try await intake.begin()
      return .see(.importing)
    } catch {
      await intake.abandon()
      return await site.importRefusal(error)
    }
  }

  /// Gives it up: the client has gone.
  public func abandon() async { await intake.abandon() }

  private func take(_ event: MultipartReader.Event) async throws {
    switch event {
    case .part(let head):
      // A file control in which nothing was chosen sends a file without a name.
      isFile = head.fileName.map { !$0.isEmpty } ?? false
      guard isFile else { return }
      guard await !intake.isOpen else { throw MultipartError.severalFiles }
      try await intake.open(name: head.fileName ?? "")
    case .content(let bytes): if isFile { try await intake.write(bytes) }
    case .partEnd: isFile = false
    }
  }
}
