import Fieldstone
import Foundation

/// Executes stages from the main actor and fails if one of them ran on it.
@main
struct App {
  static func main() async throws {
    // Past the first suspension the main actor is served by the main queue, on Linux too.
    await Task.yield()
    expect(MainQueue.isCurrent, "the probe does not see the main actor, so it would see nothing")

    let asynchronous = try await Probe.begin.execute()
    expect(asynchronous == [false, false], "a stage ran on the main actor")
    let synchronous = try await SynchronousProbe.begin.execute()
    expect(synchronous == [false], "a synchronous stage ran on the main actor")

    let handled = await withCheckedContinuation { continuation in
      Probe.begin.execute { useResult in continuation.resume(returning: try? useResult()) }
    }
    expect(handled == [false, false], "a stage with a handler ran on the main actor")

    expect(MainQueue.isCurrent, "the caller did not come back to the main actor")
    print("Every stage ran off the main actor.")
  }

  static func expect(_ condition: Bool, _ complaint: String) {
    guard !condition else { return }
    FileHandle.standardError.write(Data("\(complaint)\n".utf8))
    exit(1)
  }
}
