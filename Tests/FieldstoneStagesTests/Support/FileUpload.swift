import FieldstoneCore
import FieldstoneStages
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The seed's second example: a callback API as a stage.
enum HTTPRequest: Stage, Codable {
  case get(URL)
  case post(URL, body: Data)

  struct Response: Codable, Hashable {
    var status: Int
    var body: Data
  }

  func next() async throws -> Step<Self, Response> {
    switch self {
    case .get(let url):
      return .complete(try await Self.send(URLRequest(url: url)))
    case .post(let url, let body):
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      request.httpBody = body
      return .complete(try await Self.send(request))
    }
  }

  private static func send(_ request: URLRequest) async throws -> Response {
    try await future { resolve in
      let task = URLSession.shared.dataTask(with: request) { data, response, error in
        resolve {
          if let error { throw error }
          let status = (response as? HTTPURLResponse)?.statusCode ?? 0
          return Response(status: status, body: data ?? Data())
        }
      }
      resolve.onCancel { task.cancel() }
      task.resume()
    }
  }
}

/// The seed's third example: stage types inside another one.
enum FileUpload: Stage, Codable {
  case open(FileOpen, to: URL)
  case upload(HTTPRequest)

  enum Failure: DescribedError, Equatable {
    case refused(status: Int)

    var message: String {
      switch self {
      case .refused(let status): "The server refused the upload with status \(status)."
      }
    }
  }

  func next() async throws -> Step<Self, HTTPRequest.Response> {
    switch self {
    case .open(let file, let destination):
      try await file.next().map(
        stage: { .open($0, to: destination) },
        completion: { document in
          let body = try JSONEncoder().encode(["number": document.number])
          return .advance(to: .upload(.post(destination, body: body)))
        })
    case .upload(let request):
      try await request.next().map(
        stage: { .upload($0) },
        completion: { response in
          guard response.status == 200 else { throw Failure.refused(status: response.status) }
          return .complete(response)
        })
    }
  }
}

/// One level more: an upload inside a flow of its own.
enum Publication: Stage, Codable {
  case upload(FileUpload)
  case announce(String)

  func next() async throws -> Step<Self, String> {
    switch self {
    case .upload(let upload):
      try await upload.next().map(
        stage: { .upload($0) },
        completion: { .advance(to: .announce(String(decoding: $0.body, as: UTF8.self))) })
    case .announce(let text):
      .complete("published: \(text)")
    }
  }
}
