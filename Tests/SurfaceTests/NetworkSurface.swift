import Fieldstone
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Runway: DataModel, Decodable, Equatable {
  let name: String
  let length: Int
}

@Suite("The surface of loading from the network")
struct NetworkSurface {
  @Test("A model comes from JSON by itself, and bad data says where")
  func models() throws {
    let runway = try Runway(source: Data(#"{"name": "11", "length": 3500}"#.utf8))
    #expect(runway == Runway(name: "11", length: 3_500))
    let list = try [Runway](source: Data(#"[{"name": "11", "length": 3500}]"#.utf8))
    #expect(list == [runway])
    do {
      _ = try Runway(source: Data(#"{"name": "11", "length": "long"}"#.utf8))
      Issue.record("It was made.")
    } catch let error as DataModelError {
      switch error {
      case .wrongType(_, _, let place): #expect(place == error.place && place == "length")
      case .notJSON, .missing, .null, .unusable: Issue.record("\(error)")
      }
      #expect(!error.message.isEmpty && !error.isWorthRetrying)
    }
    let snakes = JSONDecoder()
    snakes.keyDecodingStrategy = .convertFromSnakeCase
    let data = Data(#"{"name": "a", "length": 1}"#.utf8)
    #expect(try Runway.decoded(fromJSON: data, with: snakes).length == 1)
  }

  @Test("A response is a value, and its headers don't mind their case")
  func responses() {
    var headers: ResponseHeaders = ["Retry-After": "3"]
    #expect(headers["retry-after"] == "3" && headers == ResponseHeaders([("RETRY-AFTER", "3")]))
    headers = ResponseHeaders(headers.all.map { ($0.name, $0.value) })
    let response = ServerResponse(status: 503, headers: headers, body: Data(), url: nil)
    let error = URLProviderError.status(response, retryAfter: .seconds(3))
    #expect(error.isWorthRetrying && error.retryAfter == .seconds(3))
    for other: URLProviderError in [
      .bodyTooLarge(limit: 1, url: nil), .transfer(URLError(.timedOut), url: nil),
      .notHTTP(url: nil),
    ] {
      #expect(!other.message.isEmpty && other.underlyingErrors.count <= 1)
    }
  }

  @Test("A provider of requests fails with a typed error where nobody answers")
  func unreachable() async throws {
    let transport = URLTransport(configuration: .ephemeral)
    let address = try #require(URL(string: "ftp-nothing://127.0.0.1/"))
    let provider = URLProvider<String>(bodyLimit: 1_000, transport: transport, time: .system) {
      path in
      URLRequest(url: address.appending(path: path))
    }
    await #expect(throws: (any Error).self) {
      try await provider.load("users", reporting: LoadEvents())
    }
  }
}
