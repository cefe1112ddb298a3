#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// The locks that prove that a worker's process lives: one per worker, on a file beside the
  /// journal.
  final class WorkerLocks: Sendable {
    private let path: String
    private let prefix: String
    /// The locks by the names of their files: Swift takes some names of workers for equal that the
    /// database does not.
    private let held = Locked<[String: LockFile]>([:])
    /// The workers whose first claim has begun, by the same names.
    private let known = Locked<Set<String>>([])

    private static let mostIdle = 16

    init(beside path: String) {
      self.path = path
      prefix = path + "-worker-"
    }

    deinit { release() }

    /// Takes the lock of a worker of this process, once.
    ///
    /// - Returns: true if this call took it.
    func hold(_ worker: String) throws -> Bool {
      let name = Self.name(of: worker)
      return try held.withLock { held in
        guard held[name] == nil else { return false }
        held[name] = try take(prefix + name, for: worker)
        return true
      }
    }

    /// Begins a claim of a worker.
    ///
    /// - Returns: true for its first: once it holds its lock, all runs of its name are those of a
    ///   process that has ended. Call `forgetClaim` if that claim fails.
    func beginClaim(of worker: String) -> Bool {
      let name = Self.name(of: worker)
      return known.withLock { $0.insert(name).inserted }
    }

    /// Notes that a worker holds its lock again, which was released before its claim could use it:
    /// its runs are its own.
    func remember(_ worker: String) {
      let name = Self.name(of: worker)
      known.withLock { _ = $0.insert(name) }
    }

    func forgetClaim(of worker: String) { forgetClaim(ofNamed: Self.name(of: worker)) }

    private func forgetClaim(ofNamed name: String) {
      known.withLock { _ = $0.remove(name) }
    }

    /// Whether a worker's process has certainly ended.
    ///
    /// Without a lock file that is uncertain, and the lease decides.
    func isDead(_ worker: String) -> Bool {
      let name = Self.name(of: worker)
      guard held.withLock({ $0[name] == nil }) else { return false }
      guard let file = LockFile.find(prefix + name) else { return false }
      defer { file.close() }
      return !file.isHeld()
    }

    /// Removes the lock files of dead workers without runs.
    ///
    /// If this process has very many workers without runs, their locks are released, too: a process
    /// may make a new worker for each task. A live worker takes its lock again at its next claim.
    func removeStale(except workers: [String]) {
      let kept = Set(workers.map { prefix + Self.name(of: $0) })
      let idle = held.withLock { held -> [LockFile] in
        guard held.count > Self.mostIdle else { return [] }
        let idle = held.filter { !kept.contains(prefix + $0.key) }
        for name in idle.keys {
          held[name] = nil
          forgetClaim(ofNamed: name)
        }
        return Array(idle.values)
      }
      for file in idle { file.close() }
      let folder = prefix.prefix(
        upTo: prefix.utf8.lastIndex(of: UInt8(ascii: "/")) ?? prefix.startIndex)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: String(folder) + "/")) ?? []
      // Sorted, so that a file of another's comes before those whose names begin with its name.
      var others: [String] = []
      for name in names.sorted() {
        let path = "\(folder)/\(name)"
        guard isLock(path), !kept.contains(path) else { continue }
        guard LockFile.isPlain(path) else {
          others.append(path + "-")
          continue
        }
        // The locks of another journal, whose database has such a name, are empty, too.
        if others.contains(where: { path.utf8.starts(with: $0.utf8) }) { continue }
        guard let file = LockFile.find(path) else { continue }
        // Removed while the lock is held, so that no process locks a file that is being removed.
        if file.tryLock(), file.isNamed(path) { try? FileManager.default.removeItem(atPath: path) }
        file.close()
      }
    }

    /// Whether a worker's lock file may have this path, byte by byte.
    private func isLock(_ path: String) -> Bool {
      path.utf8.starts(with: prefix.utf8)
        && path.utf8.dropFirst(prefix.utf8.count).allSatisfy {
          Self.isKept($0) || $0 == UInt8(ascii: "%")
        }
    }

    /// Releases all locks.
    ///
    /// The files stay, so that runs that were not parked are reclaimed at once; the next worker
    /// removes them.
    func release() {
      let gone = held.withLock { held in
        defer { held = [:] }
        return held
      }
      for file in gone.values { file.close() }
    }

    private func take(_ name: String, for worker: String) throws(JournalError) -> LockFile {
      // A process that tests whether a worker is alive holds its lock for a moment.
      for _ in 0..<1_000 {
        guard let file = LockFile.make(name, like: path) else {
          throw .unavailable("the lock file \(name) can't be made")
        }
        if file.tryLock(), file.isNamed(name) { return file }
        file.close()
      }
      throw .duplicateWorker(worker)
    }

    /// The worker's name, encoded for a file name.
    static func name(of worker: String) -> String {
      var name = ""
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in worker.utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        if isKept(byte) {
          name.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          name += "%" + String(byte, radix: 16)
        }
      }
      return name.utf8.count <= 120 ? name : name.prefix(100) + "%" + String(hash, radix: 16)
    }

    /// Whether a file's name has the byte as the worker's name has it.
    private static func isKept(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
#endif
