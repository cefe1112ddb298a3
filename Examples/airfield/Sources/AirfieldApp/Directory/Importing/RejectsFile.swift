import Fieldstone
import FieldstoneDurable
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
  func write(_ pieces: RejectPieces) async throws {
    let part = "\(path).\(pieces.run).part"
    do {
      var (file, size): (OpenFile?, Int) = (nil, 0)
      // Under its own name it is not there any more.
      defer { if file != nil { unlink(part) } }
      for try await piece in pieces {
        file = try file ?? OpenFile(part, O_WRONLY | O_CREAT | O_TRUNC)
        try file?.write(Array(piece.utf8), at: size)
        size += piece.utf8.count
      }
      guard let whole = file else { return try remove() }
      try whole.synchronize()
      guard rename(part, path) == 0 else { throw OpenFile.Failure(code: errno) }
    } catch let error as OpenFile.Failure {
      throw failure(error)
    }
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

/// The rejected rows of an import as CSV, a thousand at a time; none where there are none.
///
/// There may be as many as the file has rows: nobody holds all of them at once.
struct RejectPieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let directory: AirportDirectory
  let run: RunID
  private var count = 0
  private var last = 0

  init(directory: AirportDirectory, run: RunID) {
    self.directory = directory
    self.run = run
  }

  /// - Throws: what the database throws; a `MessageError` where they are forgotten meanwhile.
  mutating func next() async throws -> String? {
    let (standing, rejects) = try await directory.standing(
      ofImport: run, rejects: 1_000, after: last)
    guard let end = rejects.last else {
      guard count == 0 || count == standing.counts.rejected else {
        throw MessageError("the rejected rows were forgotten meanwhile; look at the next import")
      }
      return nil
    }
    let header = count == 0 ? CSVWriter.line(["record", "line", "reason"]) : ""
    count += rejects.count
    last = end.record
    return rejects.reduce(into: header) { text, reject in
      text += CSVWriter.line(["\(reject.record)", "\(reject.line)", reject.reason])
    }
  }

  func makeAsyncIterator() -> Self { self }
}

/// A row that did not become an airport.
struct Reject: Sendable, Equatable {
  /// The row's number, from 1 for the first under the header; blank lines do not count.
  let record: Int

  /// The line of the file on which the row begins, from 1.
  let line: Int
  let reason: String
}
