/// Cuts a file into parts as it is read, at places where records begin.
///
/// A part ends where a batch of the import ends: so an import in parts has the same batches as one
/// without. It knows records by a ``CSVReader``, so no cut is inside a quoted value.
struct ImportCuts {
  /// How many batches a part has; 20,000 rows or some more.
  static let batchesPerPart = 20

  /// How many parts a file has at most; those of a larger file are larger.
  static let mostParts = 512

  /// Where the second part and those after it begin.
  private(set) var places: [CSVPosition] = []

  private let size: Int
  private let batchSize: Int
  private var batchesPerPart: Int
  private var reader: CSVReader
  private var offset = 0
  private var batches = 0
  /// Where the batch begins that is being read, and up to where it is read before that is looked at.
  private var (start, end): (Int, Int)

  /// Makes one at the beginning of a file.
  ///
  /// - Parameter batchSize: how many bytes are read for a batch; nil for those that the import reads.
  init(
    size: Int, separator: CSVSeparator, batchesPerPart: Int, batchSize: Int? = nil
  ) {
    self.size = size
    self.batchesPerPart = max(1, batchesPerPart)
    self.batchSize = batchSize ?? ImportFile.chunkSize
    (start, end) = (0, self.batchSize)
    reader = CSVReader(separator: separator, keepsValues: false)
  }

  /// The quote that is open where the reading stands; nil where none is.
  var openQuote: (line: Int, reached: Int)? { reader.openQuote }

  mutating func take(_ chunk: [UInt8]) throws(CSVError) {
    var rest = chunk[...]
    while !rest.isEmpty {
      let piece = rest.prefix(end - offset)
      rest = rest.dropFirst(piece.count)
      offset += piece.count
      _ = try reader.feed(piece.count == chunk.count ? chunk : Array(piece))
      if offset == end { endBatch() }
    }
  }

  /// Goes on to the next batch as ``ImportPosition/readRows(upTo:)`` does.
  private mutating func endBatch() {
    let place = reader.position
    guard place.offset > start else {
      // A record that is longer than a batch.
      end += batchSize
      return
    }
    (start, end) = (place.offset, place.offset + batchSize)
    batches += 1
    // What ends here ends with the file.
    guard batches == batchesPerPart, offset < size else { return }
    batches = 0
    places.append(place)
    guard places.count == Self.mostParts else { return }
    // Two parts become one, from here on, too.
    places = stride(from: 1, to: places.count, by: 2).map { places[$0] }
    batchesPerPart *= 2
  }
}
