#if SQLite
  import FaultyDisk
  import FieldstoneCore

  /// Writes down all that changes files, and what was answered in between.
  final class DiskRecording: Sendable {
    enum Event: Sendable {
      case call(FileCall)
      case answered(Int)
    }

    private let list: Locked<[Event]>
    private let disk: FaultyDisk

    init(_ prefix: String) {
      let list = Locked<[Event]>([])
      self.list = list
      disk = FaultyDisk(
        prefix,
        after: { call in
          if call.kind.isChange { list.withLock { $0.append(.call(call)) } }
        })
    }

    var events: [Event] { list.withLock { $0 } }

    func answered(_ number: Int) { list.withLock { $0.append(.answered(number)) } }
  }
#endif
