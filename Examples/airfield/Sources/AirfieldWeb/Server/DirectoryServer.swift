import Fieldstone
import FlyingFox
import FlyingSocks
import Foundation

/// A web server for a site, on the loopback address of this machine and nowhere else.
public struct DirectoryServer: Sendable {
  private let site: DirectorySite
  private let port: UInt16

  /// Makes a server; port 0 takes a free one.
  public init(site: DirectorySite, port: UInt16) {
    self.site = site
    self.port = port
  }

  /// Serves until the task is cancelled, and tells its address once it is open.
  public func run(onListening: @escaping @Sendable (_ address: String) -> Void) async throws {
    let server = HTTPServer(
      config: HTTPServer.Configuration(
        address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), pool: PromptSocketPool(),
        logger: .disabled),
      handler: Handler(site: site))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await server.run()
        } catch let error as SocketError {
          try Task.checkCancellation()
          throw DirectoryServerError.cannotListen(port: port, reason: Self.reason(error))
        }
      }
      group.addTask {
        try await server.waitUntilListening()
        onListening("http://127.0.0.1:\(await server.port ?? port)/")
      }
      // Unlike waiting for all of them, this ends at the first that throws.
      for try await _ in group {}
    }
    try Task.checkCancellation()
  }

  private static func reason(_ error: SocketError) -> String {
    if case .failed(_, _, let message) = error { return message }
    return error.localizedDescription
  }
}

extension HTTPServer {
  fileprivate var port: UInt16? {
    guard case .ip4(_, let port) = listeningAddress else { return nil }
    return port
  }
}

/// Carries requests to the site and its answers back.
private struct Handler: HTTPHandler {
  let site: DirectorySite

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let answer = await site.respond(
      method: request.method.rawValue, path: request.target.path(),
      query: request.target.query())
    var headers = HTTPHeaders()
    for (name, value) in answer.headers { headers[HTTPHeader(name)] = value }
    headers[.contentLength] = "\(answer.body.count)"
    // The answer to HEAD tells the length of a body that it does not have.
    let body = request.method == .HEAD ? Data() : Data(answer.body)
    return HTTPResponse(statusCode: HTTPStatusCode(answer.status), headers: headers, body: body)
  }
}

extension HTTPStatusCode {
  /// The status of this number among those that the site answers with.
  fileprivate init(_ number: Int) {
    switch number {
    case 200: self = .ok
    case 404: self = .notFound
    case 405: self = .methodNotAllowed
    default: self = .internalServerError
    }
  }
}
