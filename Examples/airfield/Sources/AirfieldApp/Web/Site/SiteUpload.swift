import Fieldstone
import FieldstoneServing

/// A posted form with one file, on its way to the disk.
struct SiteUpload: Sendable {
  private let intake: ImportIntake
  private var reader: MultipartReader

  /// Whether the part at hand is the file, or the name of the button that was pressed.
  private var isFile = false
  private var isButton = false
  private var button: [UInt8] = []

  init(_ intake: ImportIntake, _ reader: MultipartReader) {
    self.intake = intake
    self.reader = reader
  }

  /// Receives all of it and begins the import, or gives it up and throws.
  @concurrent
  mutating func receive(_ body: SiteBody) async throws {
    var received = 0
    do {
      while let bytes = try await body.next() {
        received += bytes.count
        for event in try reader.feed(bytes) { try await take(event) }
        await intake.tell(received: received)
      }
      try reader.finish()
      guard await intake.isOpen else { throw PostedFileError.noFile }
      try await intake.begin(comparing: button == Array(Self.preview.utf8))
    } catch {
      await intake.abandon()
      throw error
    }
  }

  private mutating func take(_ event: MultipartReader.Event) async throws {
    switch event {
    case .part(let name, let fileName):
      isButton = name == "do" && fileName == nil
      // A file control in which nothing was chosen sends a file without a name.
      isFile = fileName.map { !$0.isEmpty } ?? false
      guard isFile else { return }
      guard await !intake.isOpen else { throw PostedFileError.severalFiles }
      try await intake.open(name: fileName ?? "")
    case .content(let bytes):
      if isFile { try await intake.write(bytes) }
      if isButton { button += bytes.prefix(Self.preview.utf8.count + 1 - button.count) }
    case .partEnd: (isFile, isButton) = (false, false)
    }
  }

  /// The button that shows what an import would do.
  static let preview = "preview"
}

/// What a posted form with a file lacks, or has too much of.
enum PostedFileError: DescribedError {
  case noFile
  case severalFiles

  var message: String {
    switch self {
    case .noFile: "No file was chosen. Choose a CSV file first."
    case .severalFiles: "That was more than one file. Import them one by one."
    }
  }
}
