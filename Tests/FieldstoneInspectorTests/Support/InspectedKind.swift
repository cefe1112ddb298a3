#if INSPECTOR && SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation

  /// The journals that the pages are tried on.
  enum InspectedKind: Sendable, CaseIterable {
    case inMemory
    case sqlite
    case coded
    case sharded

    func make(in folder: InspectedFolder) async throws -> any Journal {
      switch self {
      case .inMemory: InMemoryJournal()
      case .sqlite: try SQLiteJournal(path: folder["journal.sqlite"])
      case .coded:
        CodedJournal(try SQLiteJournal(path: folder["coded.sqlite"]), codec: Inversion())
      case .sharded:
        try await ShardedJournal((0..<3).map { try SQLiteJournal(path: folder["\($0).sqlite"]) })
      }
    }

    /// Inverts every bit.
    private struct Inversion: PayloadCodec {
      let maximumOverhead = 0

      func encode(_ payload: Data, for context: PayloadContext) -> Data {
        Data(payload.map { ~$0 })
      }
      func decode(_ bytes: Data, for context: PayloadContext) -> Data { Data(bytes.map { ~$0 }) }
    }
  }

  /// An empty folder for the files of a test's journals, removed with it.
  final class InspectedFolder: Sendable {
    private let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appending(path: "fieldstone-inspector-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
      try? FileManager.default.removeItem(at: url)
    }

    subscript(name: String) -> String {
      url.appending(path: name, directoryHint: .notDirectory).path(percentEncoded: false)
    }
  }
#endif
