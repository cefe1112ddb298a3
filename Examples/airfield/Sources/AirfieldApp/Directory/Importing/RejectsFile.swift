import Fieldstone
import Foundation

/// The file that lists the rejected rows of the last import, as CSV beside the database.
struct RejectsFile: Sendable {
  let path: String

  init(database path: String) {
    self.path = path + ".rejects.csv"
  }

  /// Lists these rows and no others; without any there is no file.
  ///
  /// Whoever looks sees the whole old or the whole new list.
  func write(_ rejects: [Reject]) throws {
    guard !rejects.isEmpty else { return try remove() }
    do {
      try Data(Self.text(rejects).utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw failure(error)
    }
  }

  static func text(_ rejects: [Reject]) -> String {
    var text = CSVWriter.line(["record", "line", "reason"])
    for reject in rejects {
      text += CSVWriter.line(["\(reject.record)", "\(reject.line)", reject.reason])
    }
    return text
  }

  private func remove() throws {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch CocoaError.fileNoSuchFile {
      return
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> MessageError {
    MessageError("cannot write \(path): \(error.localizedDescription)", underlying: error)
  }
}

/// A row that did not become an airport.
struct Reject: Sendable, Equatable {
  /// The row's number, from 1 for the first under the header; blank lines do not count.
  let record: Int

  /// The line of the file on which the row begins, from 1.
  let line: Int
  let reason: String
}
