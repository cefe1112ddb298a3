import FieldstoneCore
public import Foundation

/// The response of a server.
public struct ServerResponse: Sendable, Hashable {
  /// The status code, such as 200.
  public var status: Int

  /// The headers, whose names are case-insensitive.
  public var headers: ResponseHeaders

  /// The body; empty if there is none.
  public var body: Data

  /// The address that responded, after redirects; nil if it is unknown.
  public var url: URL?

  /// Makes a response, for example for tests and previews.
  public init(
    status: Int, headers: ResponseHeaders = [:], body: Data = Data(), url: URL? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}

/// The headers of a response, whose names are case-insensitive.
public struct ResponseHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private struct Header: Sendable {
    let name: String
    let value: String
  }

  private var headers: [String: Header] = [:]

  /// Makes headers from names and values; the values of a repeated name are joined with a comma.
  public init(_ pairs: some Sequence<(String, String)>) {
    for (name, value) in pairs {
      let key = name.lowercased()
      let before = headers[key].map { "\($0.value), " } ?? ""
      headers[key] = Header(name: headers[key]?.name ?? name, value: before + value)
    }
  }

  /// Makes headers from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements)
  }

  /// The value of a header; nil if there is none.
  public subscript(name: String) -> String? {
    headers[name.lowercased()]?.value
  }

  /// Every header with its original spelling, sorted by name.
  public var all: [(name: String, value: String)] {
    headers.valuesInOrder.map { ($0.name, $0.value) }
  }

  /// Whether both have the same values; the case of names is ignored.
  public static func == (first: ResponseHeaders, second: ResponseHeaders) -> Bool {
    first.headers.mapValues(\.value) == second.headers.mapValues(\.value)
  }

  /// Hashes the values with their lower-case names.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(headers.mapValues(\.value))
  }
}
