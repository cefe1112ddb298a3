#if SQLite
  import FaultyDisk
  import FieldstoneCore

  /// A way in which a disk fails.
  enum DiskFault: String, CaseIterable, Sendable {
    case noSpace = "no space"
    case writing = "errors in writing"
    case syncing = "errors in syncing"
    case reading = "errors in reading"
    case tidying = "errors in truncating and removing"
    case locking = "errors in locking"
    case sharing = "errors in mapping shared memory"

    /// The error of SQLite's that a call fails with; zero for one that goes well.
    func error(_ call: FileCall) -> Int32 {
      switch (self, call.kind) {
      case (.noSpace, .make): 14  // SQLITE_CANTOPEN
      case (.noSpace, .write): 13  // SQLITE_FULL
      case (.noSpace, .share) where call.length != 0: 4_874  // SQLITE_IOERR_SHMSIZE
      case (.writing, .write): 778  // SQLITE_IOERR_WRITE
      case (.syncing, .sync): 1_034  // SQLITE_IOERR_FSYNC
      case (.reading, .read): 266  // SQLITE_IOERR_READ
      case (.tidying, .truncate): 1_546  // SQLITE_IOERR_TRUNCATE
      case (.tidying, .remove): 2_570  // SQLITE_IOERR_DELETE
      case (.locking, .lock): 3_850  // SQLITE_IOERR_LOCK
      case (.sharing, .share): 5_386  // SQLITE_IOERR_SHMMAP
      default: 0
      }
    }
  }

  /// A disk that fails when it is told to, and is whole again when it is told to.
  final class DiskFaults: Sendable {
    private struct State {
      var isDown = false
      /// How many calls that can fail were made.
      var count = 0
      var downAt: Int?
    }

    private let state: Locked<State>
    private let disk: FaultyDisk

    /// - Parameters:
    ///   - prefix: what the paths of the files begin with.
    ///   - fault: how it fails.
    ///   - number: from which call on, of those that can fail so; at once when it is told to, if nil.
    init(_ prefix: String, _ fault: DiskFault, from number: Int? = nil) {
      let state = Locked(State(downAt: number))
      self.state = state
      disk = FaultyDisk(
        prefix,
        before: { call in
          let error = fault.error(call)
          guard error != 0 else { return 0 }
          return state.withLock { state in
            if state.count == state.downAt { state.isDown = true }
            state.count += 1
            return state.isDown ? error : 0
          }
        })
    }

    var count: Int { state.withLock { $0.count } }

    func fail() { state.withLock { $0.isDown = true } }

    func heal() { state.withLock { $0.isDown = false } }
  }

  /// A disk on which a file can't grow beyond a size.
  final class SmallDisk: Sendable {
    private let room: Locked<Int>
    private let disk: FaultyDisk

    init(_ prefix: String) {
      let room = Locked(Int.max)
      self.room = room
      disk = FaultyDisk(
        prefix,
        before: { call in
          guard call.kind == .write else { return 0 }
          return call.offset + call.length > room.withLock { $0 } ? 13 : 0
        })
    }

    /// Sets how long files may become, in bytes.
    func setRoom(_ room: Int) { self.room.withLock { $0 = room } }
  }
#endif
