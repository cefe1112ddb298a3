import FieldstoneStorage
import Foundation

/// The other process in the tests of storage: it does one thing with a file, says how it went in
/// words of one line, and may be killed.
@main
struct StorageProcess {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2 else { return say("usage: storage-process COMMAND PATH [NUMBER]") }
    let url = URL(filePath: arguments[1])
    let number = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
    do {
      switch arguments[0] {
      case "write": try await write(url, durability: number == 0 ? .fast : .durable)
      case "crash": try await crash(url, at: number)
      case "increment": try await increment(url, times: number)
      case "hold": try await hold(url)
      case "unprivileged": await lookUnprivileged(url)
      case "follow": try await followUnprivileged(url)
      default: say("unknown command")
      }
    } catch {
      say("failed: \(error)")
    }
  }

  /// Saves one record after the other for ever, and tells of each that was saved.
  private static func write(_ url: URL, durability: FileDurability) async throws {
    let store = FileStore<Record>(
      at: url, schema: FileSchema(1), options: FileStoreOptions(durability: durability))
    var number = try await store.value(default: Record(0)).number
    while true {
      number += 1
      try await store.save(Record(number))
      say("\(number)")
    }
  }

  /// Saves once, and dies before the system call with the number.
  private static func crash(_ url: URL, at number: Int) async throws {
    let counter = Counter()
    let calls = SystemCalls.system.intercepted { _ in
      if counter.next() == number { kill(getpid(), SIGKILL) }
    }
    let store = FileStore<Record>(at: url, schema: FileSchema(1), calls: calls)
    try await store.save(Record(2))
    say("saved")
  }

  private static func increment(_ url: URL, times: Int) async throws {
    let store = FileStore<Int>(
      at: url, options: FileStoreOptions(durability: .fast, lockTimeout: .seconds(60)))
    for _ in 0..<times { try await store.update(default: 0) { $0 += 1 } }
    say("done")
  }

  /// Stays within an update until its input ends.
  private static func hold(_ url: URL) async throws {
    let store = FileStore<Int>(at: url)
    try await store.update(default: 0) { value in
      say("held")
      while readLine() != nil {}
      value += 100
    }
    say("done")
  }

  /// Loads and saves as a user who may do neither.
  private static func lookUnprivileged(_ url: URL) async {
    guard isUnprivileged() else { return say("still root") }
    let store = FileStore<Int>(at: url)
    say(await store.load())
    do {
      say("\(try await store.value(default: 1))")
    } catch {
      say("no default")
    }
    do {
      try await store.save(2)
      say("saved")
    } catch {
      say("refused")
    }
    do {
      _ = try store.changes()
      say("watched")
    } catch {
      say("no changes: \(error.errorNumber ?? 0)")
    }
  }

  /// Tells of changes for ever, as a user whom the folder's mode may keep out.
  private static func followUnprivileged(_ url: URL) async throws {
    guard isUnprivileged() else { return say("still root") }
    // Ends when the process that has started this one ends.
    Thread {
      while readLine() != nil {}
      exit(1)
    }.start()
    let store = FileStore<Int>(at: url)
    _ = await store.load()
    let changes = try store.changes()
    say("watched")
    for await change in changes { say(change.contents) }
  }

  /// Gives up being root; false if the system does not allow that.
  private static func isUnprivileged() -> Bool {
    let nobody: UInt32 = 65_534
    return getuid() != 0 || (setgid(nobody) == 0 && setuid(nobody) == 0)
  }

  private static func say(_ contents: FileContents<Int>) {
    switch contents {
    case .unreadable(let error): say("unreadable \(error.errorNumber ?? 0)")
    default: say("\(contents)")
    }
  }

  private static func say(_ line: String) {
    // One write, so that whoever reads gets whole lines or none.
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
