import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("The task-local values of calls")
@MainActor
struct TaskLocalTests {
  private enum Session {
    @TaskLocal static var name = "none"
  }

  @Test("Each call of a queue has the task-local values of its own caller")
  func queued() async throws {
    let gate = Gate()
    let names = ClosureProvider { (number: Int) in
      await gate.wait()
      return Session.name
    }
    let integrator = Integrator(provider: names, policy: .queue())
    var calls: [Call<String>] = []
    for name in ["alice", "bob", "carol"] {
      calls.append(Session.$name.withValue(name) { integrator.call(1).start() })
    }
    gate.open()
    var loaded: [String] = []
    for call in calls { loaded.append(try await call.value) }
    #expect(loaded == ["alice", "bob", "carol"])
  }

  @Test("A call that goes on alone has the task-local values of its own caller")
  func alone() async {
    let loads = Recorder<String>()
    let provider = ClosureProvider { (number: Int) -> Int in
      loads.record(Session.name)
      await Task.yield()
      throw Trouble(number: number)
    }
    let integrator = Integrator(
      provider: provider, policy: .only(.join), errorHandlers: ErrorHandlers())
    let calls = ["alice", "bob"].map { name in
      Session.$name.withValue(name) {
        integrator.call(1).retry(RetryPolicy(maximumAttempts: 2, baseDelay: .zero)).start()
      }
    }
    for call in calls { _ = await call.outcome }
    #expect(loads.elements.sorted() == ["alice", "alice", "bob"])
  }
}
