#if INSPECTOR
  /// A queue of entries whose copies share them: a change copies at most one chunk.
  ///
  /// A page reads a copy while events go on, perhaps on the main actor; so an event must not wait for
  /// a copy of all entries. Adding an entry and removing the first are O(1), besides the chunks'
  /// references.
  struct ChunkedEntries<Entry: Sendable>: Sendable {
    /// The number of entries in a chunk.
    static var chunkSize: Int { 256 }

    /// All but the last are full; none is empty.
    private var chunks: [[Entry]] = []
    /// The number of removed entries of the first chunk, which are released with it.
    private var skipped = 0
    private(set) var count = 0

    init() {}

    /// The addresses of the chunks, for tests.
    var chunkAddresses: [UnsafeRawPointer?] {
      chunks.map { $0.withUnsafeBytes { $0.baseAddress } }
    }

    mutating func append(_ entry: Entry) {
      if chunks.last.map({ $0.count == Self.chunkSize }) ?? true {
        chunks.append([])
        chunks[chunks.count - 1].reserveCapacity(Self.chunkSize)
      }
      chunks[chunks.count - 1].append(entry)
      count += 1
    }

    /// Removes the first entry, which must exist.
    mutating func removeFirst() {
      skipped += 1
      count -= 1
      // The last chunk may be full of removed entries, too.
      if skipped == chunks[0].count {
        chunks.removeFirst()
        skipped = 0
      }
    }
  }

  extension ChunkedEntries: RandomAccessCollection, MutableCollection {
    typealias Indices = Range<Int>

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    /// The entry at an index, the first being 0.
    subscript(index: Int) -> Entry {
      get {
        let place = index + skipped
        return chunks[place / Self.chunkSize][place % Self.chunkSize]
      }
      set {
        let place = index + skipped
        chunks[place / Self.chunkSize][place % Self.chunkSize] = newValue
      }
    }
  }
#endif
