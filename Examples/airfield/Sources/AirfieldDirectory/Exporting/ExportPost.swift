import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A page on its way to a server.
struct ExportPost: Sendable {
  /// Where it goes.
  let address: URL

  /// The airports.
  let body: [UInt8]

  /// What the body is.
  let contentType: String

  /// The same whenever this page is posted, and for no other page.
  let key: String

  /// The number of the page, from 1.
  let page: Int

  /// Whether no page follows.
  let isLast: Bool

  /// The request that posts it.
  var request: URLRequest {
    var request = URLRequest(url: address)
    request.httpMethod = "POST"
    request.httpBody = Data(body)
    request.setValue(contentType, forHTTPHeaderField: "Content-Type")
    request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
    request.setValue("\(page)", forHTTPHeaderField: "Airfield-Page")
    request.setValue(isLast ? "yes" : "no", forHTTPHeaderField: "Airfield-Last-Page")
    return request
  }
}
