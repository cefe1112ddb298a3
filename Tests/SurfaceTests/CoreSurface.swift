import Fieldstone
import FieldstoneTesting
import Testing

// Without `import Foundation`, because adopting the public types must not need it.
private enum Trouble: DescribedError {
  case big
  var message: String { "Make it smaller." }
}

@Suite("The surface of the core")
struct CoreSurface {
  @Test("An enum adopts DescribedError by its message alone")
  func describedError() {
    #expect(Trouble.big.errorDescription == "Make it smaller.")
    #expect(Trouble.big.underlyingErrors.isEmpty)
  }

  @Test("An outcome is made, matched and sent")
  func outcome() async {
    let outcome = await Task { Outcome<Int>(catching: { 1 }) }.value
    switch outcome {
    case .success(let value): #expect(value == 1)
    case .failure, .cancelled: Issue.record("It succeeded.")
    }
  }

  @Test(
    "A token of one's own ends once, when it is cancelled or released", arguments: [true, false])
  func ownRegistration(isCancelled: Bool) {
    let ends = Recorder<Void>()
    var token: Registration? = Registration { ends.record(()) }
    #expect(token?.isCancelled == false && ends.count == 0)
    if isCancelled {
      token?.cancel()
      token?.cancel()
      #expect(token?.isCancelled == true && ends.count == 1)
    }
    token = nil
    #expect(ends.count == 1)
  }

  @Test("Time can be brought along")
  func timeSource() async throws {
    let time = ManualTime()
    let own = TimeSource(
      now: { time.now }, uptime: { time.uptime },
      sleepUntilUptime: { try await time.source.sleep(untilUptime: $0) },
      sleepUntilDate: { try await time.source.sleep(until: $0) })
    time.advance(by: .seconds(1))
    #expect(own.uptime == .seconds(1))
    try await own.sleep(for: .zero)
  }
}
