#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import LiveHeap

  /// Runs very many runs one batch after the other, purges what is over, and tells how much memory
  /// and how large a file that took.
  struct Soak {
    private let journal: SQLiteJournal
    private let runner: DurableRunner

    private static let batch = 250

    init(_ journal: SQLiteJournal) throws {
      self.journal = journal
      runner = try DurableRunner(
        journal: journal,
        flows: [DurableFlow(Round.self, services: (), options: FlowOptions(maxConcurrent: 32))],
        time: Self.time)
    }

    /// The clocks of the system, by which nobody wakes up: nothing here waits for a time, and the
    /// runtime keeps a sleep that was cancelled until its time has come, which would look like a leak.
    private static let time = TimeSource(
      now: { TimeSource.system.now }, uptime: { TimeSource.system.uptime },
      sleepUntilUptime: { _ in try await sleepUntilCancelled() },
      sleepUntilDate: { _ in try await sleepUntilCancelled() })

    private static func sleepUntilCancelled() async throws {
      let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
      for await _ in stream {}
      withExtendedLifetime(continuation) {}
      throw CancellationError()
    }

    /// A run of four stages with some text in it.
    private enum Round: DurableStage, VersionedFlow {
      static let flowName = "round"

      case lap(Int, text: String)

      func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
        switch self {
        case .lap(let number, let text):
          number < 3 ? .advance(to: .lap(number + 1, text: text)) : .complete(number)
        }
      }
    }

    /// Says a line a batch: runs so far, those purged, most memory used so far in KB, the files'
    /// bytes, and the bytes that are allocated, without SQLite's.
    func run(_ count: Int) async throws {
      let runner = runner
      let work = Task { try await runner.run() }
      let text = String(repeating: "soak ", count: 100)
      let boot = runner.options.boot
      for first in stride(from: 0, to: count, by: Self.batch) {
        let end = min(first + Self.batch, count)
        var handles: [RunHandle<Int>] = []
        for number in first..<end {
          handles.append(try await runner.start(Round.lap(0, text: text), key: "\(number)"))
        }
        for handle in handles { _ = try await handle.value }
        // What is over since a moment is old.
        var now = JournalTime(.system, boot: boot)
        now.date += 1
        let gone = try await journal.purge(JournalRetention(runs: .zero), at: now)
        handles = []
        say("\(end) \(gone) \(Self.mostMemory) \(fileSize) \(live_heap_bytes())")
      }
      await runner.shutdown()
      _ = await work.result
      say("ended")
    }

    /// The usage that the system tells of begins, on Linux, with that of the process by which this one
    /// was started, which is far larger.
    private static var mostMemory: Int {
      #if os(Linux)
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
      #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss / 1_024
      #endif
    }

    private var fileSize: Int {
      ["", "-wal"].reduce(0) { sum, end in
        var found = stat()
        return stat(journal.path + end, &found) == 0 ? sum + Int(found.st_size) : sum
      }
    }
  }
#endif
