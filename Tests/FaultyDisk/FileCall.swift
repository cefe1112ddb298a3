#if SQLite
  import FaultyFiles

  /// What SQLite wants of a file.
  package struct FileCall: Sendable, Hashable {
    /// What it wants.
    package enum Kind: UInt32, Sendable, CaseIterable {
      case make, write, truncate, sync, remove, read, lock, share, barrier

      /// Whether it changes what is on the disk, or sees to it that it stays there.
      package var isChange: Bool {
        switch self {
        case .make, .write, .truncate, .sync, .remove: true
        case .read, .lock, .share, .barrier: false
        }
      }
    }

    package var kind: Kind
    package var path: String
    /// Where it reads or writes, or the size that it truncates to.
    package var offset: Int
    /// How many bytes; of a removal, whether the folder is synced with it.
    package var length: Int
    /// What is written.
    package var bytes: [UInt8]

    init?(_ call: faulty_call) {
      guard let kind = Kind(rawValue: call.kind.rawValue) else { return nil }
      self.kind = kind
      path = String(cString: call.path)
      offset = Int(call.offset)
      length = Int(call.length)
      bytes =
        kind == .write
        ? Array(UnsafeRawBufferPointer(start: call.bytes, count: Int(call.length))) : []
    }

    /// The name of the file in its folder.
    package var name: String {
      path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
  }
#endif
