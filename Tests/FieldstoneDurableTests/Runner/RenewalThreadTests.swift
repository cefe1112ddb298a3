import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("The thread that renews leases", .timeLimit(.minutes(20)))
struct RenewalThreadTests {
  private static var thread: String { "\(pthread_self())" }

  /// Notes where it decodes.
  private struct Witness: PayloadCodec {
    let threads = Recorder<String>()
    var maximumOverhead: Int { 0 }

    func encode(_ payload: Data, for context: PayloadContext) throws -> Data { payload }

    func decode(_ bytes: Data, for context: PayloadContext) throws -> Data {
      threads.record(RenewalThreadTests.thread)
      return bytes
    }
  }

  @Test("It claims, and does not decode what it has claimed")
  func codec() async throws {
    let (shop, codec) = (Workshop(), Witness())
    let claims = Recorder<String>()
    let proxy = JournalProxy(
      journal: shop.memory, before: { if $0 == .claim { claims.record(Self.thread) } })
    let flow = DurableFlow(
      Scripted.self, name: "scripted", services: Script { _, _ in .complete("done") })
    let runner = try DurableRunner(
      journal: CodedJournal(proxy, codec: codec), flows: [flow], options: shop.options(),
      time: shop.source)
    let run = try await runner.start(Scripted("a"))
    #expect(try await working(runner) { try await run.value } == "done")
    let renewing = try #require(claims.elements.first)
    #expect(Set(claims.elements) == [renewing])
    #expect(!codec.threads.elements.isEmpty && !codec.threads.elements.contains(renewing))
  }

  @Test("It tells of a renewal that failed, and lets another thread handle it")
  func events() async throws {
    let (renewals, handlings) = (Recorder<String>(), Recorder<String>())
    let shop = Workshop(before: { call in
      guard call == .renew else { return }
      renewals.record(Self.thread)
      if renewals.count == 1 { throw JournalError.unavailable("no space") }
    })
    var options = shop.options()
    options.onEvent = { event in
      guard case .journalUnavailable = event.kind else { return }
      handlings.record(Self.thread)
    }
    let end = Gate()
    let runner = try shop.runner(options: options) { _, _ in
      await end.wait()
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      await end.arrivals(atLeast: 1)
      await shop.deadline(at: 1_010)
      shop.time.advance(by: .seconds(10))
      let handling = await handlings.elements(atLeast: 1)
      #expect(renewals.elements.first != handling.first)
      end.open()
      _ = try await run.value
    }
  }
}
