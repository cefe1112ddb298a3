#if SQLite
  import FaultyDisk
  import FieldstoneCore
  import Foundation

  /// Where, among the calls by which SQLite changes files, this process kills itself.
  struct KillPoint: Sendable {
    enum Moment: String {
      case before, halfway, after
      /// In the next write to shared memory, before the next call.
      case sharing
    }

    private let moment: Moment
    private let number: Int

    /// Reads "after 17"; nil when it says something else.
    init?(_ text: String) {
      let words = text.split(separator: " ")
      guard words.count == 2, let moment = Moment(rawValue: String(words[0])),
        let number = Int(words[1])
      else { return nil }
      self.moment = moment
      self.number = number
    }

    /// Kills this process when it gets there.
    func watch(_ path: String) -> FaultyDisk {
      let count = Locked(0)
      return FaultyDisk(
        path,
        before: { call in
          if call.kind == .barrier, moment == .sharing, count.withLock({ $0 }) == number { end() }
          guard Self.counts(call) else { return 0 }
          let isHere = count.withLock { count in
            count += 1
            return count == number
          }
          if isHere, moment == .before { end() }
          if isHere, moment == .halfway {
            writeHalf(call)
            end()
          }
          return 0
        },
        after: { call in
          if Self.counts(call), moment == .after, count.withLock({ $0 }) == number { end() }
        })
    }

    /// Says each call, and what file it concerns.
    static func list(_ path: String) -> FaultyDisk {
      FaultyDisk(
        path,
        before: { call in
          if counts(call) { say("change \(call.kind) \(call.name)") }
          return 0
        })
    }

    /// Shared memory is made by writing to a file, too.
    private static func counts(_ call: FileCall) -> Bool {
      call.kind.isChange || (call.kind == .share && call.length != 0)
    }

    private func writeHalf(_ call: FileCall) {
      guard call.kind == .write else { return }
      let file = open(call.path, O_WRONLY | O_CLOEXEC)
      call.bytes.withUnsafeBytes { bytes in
        _ = pwrite(file, bytes.baseAddress, bytes.count / 2, off_t(call.offset))
      }
    }

    private func end() {
      kill(getpid(), SIGKILL)
      while true { pause() }
    }
  }
#endif
