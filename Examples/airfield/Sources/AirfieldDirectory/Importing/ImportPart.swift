import FieldstoneDurable

/// A part of a file, which a run of its own imports.
package struct ImportPart: Sendable, Equatable, Codable {
  /// The import that it is a part of: its counts, its rejects and its place are those of this run.
  let run: RunID

  /// The file.
  let file: ImportFile

  /// The offset of its first record.
  let start: Int

  /// The offset of the record behind its last one.
  let end: Int
}

/// How the import of a part ended.
package enum ImportPartEnd: Sendable, Equatable, Codable {
  /// All of its rows are imported.
  case imported

  /// The file can't be imported any further.
  case refused(ImportError)

  /// None of its rows are imported: a part before it has not come to its end, or nobody wants the import
  /// any more.
  case passedOver
}

extension ImportPart {
  /// The parts of a file that begins its parts at these places, but for those before an offset.
  static func all(
    of file: ImportFile, at places: [CSVPosition], run: RunID, after offset: Int
  ) -> [ImportPart] {
    let starts = [0] + places.map(\.offset)
    let ends = places.map(\.offset) + [file.source.size]
    return zip(starts, ends).compactMap { start, end in
      end > offset ? ImportPart(run: run, file: file, start: start, end: end) : nil
    }
  }
}
