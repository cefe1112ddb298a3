#if INSPECTOR
  public import FieldstoneCore
  import Foundation

  /// An exported timeline.
  struct TimelineSession: Codable {
    /// The version of the file format.
    var format = 1
    var name: String
    var exportedAt: Date
    var dropped: Int
    var missed: Int
    /// The entries, oldest first.
    var entries: [TimelineEntry]

    var data: Data {
      get throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
      }
    }
  }

  extension TimelineSession {
    /// The maximum size of a file, in bytes.
    static let longest = 64 << 20

    /// Parses an untrusted file.
    ///
    /// - Throws: ``InspectorSessionError``.
    init(_ data: Data) throws(InspectorSessionError) {
      guard data.count <= Self.longest else { throw .tooLarge(bytes: data.count) }
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .millisecondsSince1970
      do {
        self = try decoder.decode(Self.self, from: data)
      } catch {
        // Another format may have other members.
        guard let found = try? decoder.decode(Format.self, from: data), found.format > 1 else {
          throw .noTimeline
        }
        throw .newer(format: found.format)
      }
      guard format == 1 else { throw .newer(format: format) }
      // Formatting a date beyond every calendar would not terminate.
      for index in entries.indices where !Self.years.contains(entries[index].time) {
        entries[index].time = .distantPast
      }
      if !Self.years.contains(exportedAt) { exportedAt = .distantPast }
    }

    private struct Format: Decodable { let format: Int }

    private static let years =
      Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 32_503_680_000)
  }

  /// The reason why a file is not an exported timeline.
  public enum InspectorSessionError: DescribedError, Hashable {
    /// The file is larger than any export.
    case tooLarge(bytes: Int)
    /// The file is not an exported timeline.
    case noTimeline
    /// A newer inspector has written the file.
    case newer(format: Int)

    /// The cause, and the remedy.
    public var message: String {
      switch self {
      case .tooLarge(let bytes):
        "The file has \(bytes) bytes; no exported timeline is larger than 64 MB. Export it again."
      case .noTimeline:
        "The file is no exported timeline; export one from the inspector's page of the timeline."
      case .newer(let format):
        "A newer inspector has written the file, in format \(format); open it with that one."
      }
    }
  }
#endif
