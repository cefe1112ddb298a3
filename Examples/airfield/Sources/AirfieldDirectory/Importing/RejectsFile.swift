import Fieldstone
import Foundation

/// The file that lists the rejected rows of the last import, as CSV beside the database.
public struct RejectsFile: Sendable {
  /// The path of the file.
  public let path: String

  /// The rejects file of a database.
  public init(database path: String) {
    self.path = path + ".rejects.csv"
  }

  /// Takes away what an earlier import left.
  func clear() throws {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch CocoaError.fileNoSuchFile {
      return
    } catch {
      throw failure(error)
    }
  }

  /// Adds rows to the file, which it makes for the first of them.
  func append(_ rejects: [Reject]) throws {
    guard !rejects.isEmpty else { return }
    var text = ""
    if !FileManager.default.fileExists(atPath: path) {
      text = CSVWriter.line(["record", "line", "reason"])
      guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw MessageError("cannot write \(path)")
      }
    }
    for reject in rejects {
      text += CSVWriter.line(["\(reject.record)", "\(reject.line)", reject.reason.message])
    }
    do {
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      defer { try? file.close() }
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> MessageError {
    MessageError("cannot write \(path): \(error.localizedDescription)", underlying: error)
  }
}
