import FieldstoneCore
import FieldstoneTesting
import Foundation
import Testing

@testable import FieldstoneLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("What a transfer reports", .timeLimit(.minutes(20)))
struct URLTransferTests {
  @Test("While a closure takes its time only the latest progress waits, and then the end")
  func latest() async throws {
    let (entered, leaves, isFirst) = (Gate(), DispatchSemaphore(value: 0), Flag())
    let heard = Recorder<LoadProgress>()
    let channel = LoadChannel<ServerResponse>(
      LoadEvents(onProgress: { progress in
        heard.record(progress)
        guard isFirst.set() else { return }
        entered.open()
        leaves.wait()
      }))
    let url = try #require(URL(string: "http://127.0.0.1/"))
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Length": "4"]))
    let transfer = URLTransfer(
      URLRequest(url: url), bodyLimit: 4, time: .system, channel: channel)
    transfer.receive(response)
    await entered.wait()
    for byte in ["a", "b", "c", "d"] { transfer.receive(Data(byte.utf8)) }
    transfer.complete(nil, response: response)
    leaves.signal()
    #expect(try await channel.value.body == Data("abcd".utf8))
    #expect(heard.elements == [.fraction(0), .fraction(1)])
  }
}
