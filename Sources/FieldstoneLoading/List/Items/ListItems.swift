/// The items of a list: a random-access collection that shares its pages with its copies.
///
/// Adding a page does not copy the items while a copy is kept; at the end it costs the same for any
/// number of pages. Access by index is O(log pages); the next item of an iteration is O(1).
public struct ListItems<Item> {
  /// The items of one page.
  @usableFromInline
  struct Chunk {
    /// The coordinate of the first item; prepended items have negative coordinates.
    @usableFromInline var start: Int
    @usableFromInline var items: [Item]

    @inlinable
    init(start: Int, items: [Item]) {
      self.start = start
      self.items = items
    }
  }

  /// The number of chunks in a block: small enough to copy with a page, large enough for few
  /// blocks.
  @inlinable static var blockSize: Int { 32 }

  // Two snapshots differ by one short array at either end and occasionally by a block.
  /// The first chunks, innermost first.
  @usableFromInline var head: [Chunk] = []
  @usableFromInline var blocks: [[Chunk]] = []
  @usableFromInline var tail: [Chunk] = []

  @usableFromInline var origin = 0
  @usableFromInline var end = 0

  /// Makes an empty collection.
  @inlinable
  package init() {}

  /// Makes a collection of items.
  public init(_ items: some Sequence<Item>) {
    append(Array(items))
  }
}

extension ListItems {
  var chunkCount: Int { head.count + blocks.count * Self.blockSize + tail.count }

  func chunk(at index: Int) -> Chunk {
    if index < head.count { return head[head.count - 1 - index] }
    let inner = index - head.count
    let block = inner / Self.blockSize
    return block < blocks.count
      ? blocks[block][inner % Self.blockSize] : tail[inner - blocks.count * Self.blockSize]
  }

  @inlinable
  mutating func append(_ items: [Item]) {
    if tail.count == Self.blockSize {
      blocks.append(tail)
      tail = []
    }
    tail.append(Chunk(start: end, items: items))
    end += items.count
  }

  @usableFromInline
  mutating func prepend(_ items: [Item]) {
    if head.count == Self.blockSize {
      blocks.insert(head.reversed(), at: 0)
      head = []
    }
    origin -= items.count
    head.append(Chunk(start: origin, items: items))
  }

  /// Removes a chunk at an edge, in O(chunks).
  mutating func removeChunk(_ direction: PageDirection) {
    var chunks = chunks
    guard !chunks.isEmpty else { return }
    switch direction {
    case .next: end -= chunks.removeLast().items.count
    case .previous: origin += chunks.removeFirst().items.count
    }
    rebuild(from: chunks)
  }

  /// Changes the items of a chunk; O(chunks) if their number changes.
  mutating func changeChunk(at index: Int, _ change: (inout [Item]) -> Void) {
    let count = chunk(at: index).items.count
    if index < head.count {
      change(&head[head.count - 1 - index].items)
    } else {
      let inner = index - head.count
      let block = inner / Self.blockSize
      if block < blocks.count {
        change(&blocks[block][inner % Self.blockSize].items)
      } else {
        change(&tail[inner - blocks.count * Self.blockSize].items)
      }
    }
    let difference = chunk(at: index).items.count - count
    guard difference != 0 else { return }
    var chunks = chunks
    for later in chunks.indices.dropFirst(index + 1) { chunks[later].start += difference }
    end += difference
    rebuild(from: chunks)
  }

  /// The index of the chunk that holds the item at a valid index.
  func chunkIndex(ofItemAt index: Int) -> Int {
    let coordinate = origin + index
    var (low, high) = (0, chunkCount)
    // Finds the last chunk that starts at or before it; an empty chunk starts where the next one
    // does.
    while high - low > 1 {
      let middle = (low + high) / 2
      if chunk(at: middle).start <= coordinate { low = middle } else { high = middle }
    }
    return low
  }

  /// The index of the first item of a chunk.
  func startIndex(ofChunkAt index: Int) -> Int { chunk(at: index).start - origin }

  private var chunks: [Chunk] { head.reversed() + blocks.flatMap { $0 } + tail }

  private mutating func rebuild(from chunks: [Chunk]) {
    head = []
    let full = chunks.count / Self.blockSize
    blocks = (0..<full).map { number in
      Array(chunks[number * Self.blockSize..<(number + 1) * Self.blockSize])
    }
    tail = Array(chunks[(full * Self.blockSize)...])
  }
}

extension ListItems: RandomAccessCollection {
  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of items.
  public var endIndex: Int { end - origin }

  /// The item at an index, in O(log pages).
  public subscript(index: Int) -> Item {
    let chunk = chunk(at: chunkIndex(ofItemAt: index))
    return chunk.items[origin + index - chunk.start]
  }

  /// Iterates over the items.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Iterates over the items from first to last, each in O(1).
  public struct Iterator: IteratorProtocol {
    private let list: ListItems
    private var items: ArraySlice<Item> = []
    private var chunk = 0

    init(_ list: ListItems) { self.list = list }

    /// The next item, or nil after the last.
    public mutating func next() -> Item? {
      while items.isEmpty {
        guard chunk < list.chunkCount else { return nil }
        items = list.chunk(at: chunk).items[...]
        chunk += 1
      }
      return items.removeFirst()
    }
  }
}

extension ListItems.Chunk: Sendable where Item: Sendable {}
extension ListItems: Sendable where Item: Sendable {}
extension ListItems.Iterator: Sendable where Item: Sendable {}

extension ListItems: Equatable where Item: Equatable {
  /// Whether both have the same items in the same order, in O(n).
  public static func == (a: ListItems, b: ListItems) -> Bool {
    a.count == b.count && a.elementsEqual(b)
  }
}

extension ListItems: CustomStringConvertible {
  /// The description of the items as an array.
  public var description: String { Array(self).description }
}
