import Fieldstone
import Foundation

/// Executes stages and loads from the main actor and fails if one of them ran on it.
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

    try await load()
    let bookmark = try await Values.travel()
    expect(bookmark.title == "Alan", "a value got lost on its way")

    expect(MainQueue.isCurrent, "the caller did not come back to the main actor")
    print("Every stage and every load ran off the main actor.")
  }

  static func load() async throws {
    let integrator = Integrator(
      provider: LoadProbe(), model: PlaceModel.self, policy: .only(.join))
    let presenter = Presenter()
    integrator.defaultHandlers = CallHandlers()
      .onSuccess { _ in expect(MainQueue.isCurrent, "a handler did not run on the main actor") }
    let call = integrator.call("a")
      .onCompletion(owner: presenter) { presenter, outcome in
        expect(presenter.shown.count == 1, "the completion did not come last")
      }
      .forwardSuccess(to: presenter)
      .forwardError(to: presenter)
      .start()
    let awaited = try await integrator("b")
    let models = try await [call.value, awaited]
    expect(!models.contains { $0.loadedOnMain }, "a load ran on the main actor")
    expect(!models.contains { $0.builtOnMain }, "a model was built on the main actor")
    expect(integrator.phase.value != nil, "the phase has no value")
  }

  static func expect(_ condition: Bool, _ complaint: String) {
    guard !condition else { return }
    FileHandle.standardError.write(Data("\(complaint)\n".utf8))
    exit(1)
  }
}
