import FieldstoneCore
public import Foundation

/// The answer of a server.
public struct ServerResponse: Sendable, Hashable {
  /// The status code, such as 200.
  public var status: Int

  /// The headers, found in any case.
  public var headers: ResponseHeaders

  /// The body; empty where there is none.
  public var body: Data

  /// The address that answered, after redirects; nil where it isn't known.
  public var url: URL?

  /// Makes an answer, for tests and previews say.
  public init(
    status: Int, headers: ResponseHeaders = [:], body: Data = Data(), url: URL? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}

/// The headers of an answer, found in any case.
public struct ResponseHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private struct Header: Sendable {
    let name: String
    let value: String
  }

  private var headers: [String: Header] = [:]

  /// Makes headers from names and values; where a name comes twice, the values are joined with a
  /// comma, as HTTP has it.
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

  /// The value of a header; nil when there is none.
  public subscript(name: String) -> String? {
    headers[name.lowercased()]?.value
  }

  /// Every header as it was spelled, sorted by name.
  public var all: [(name: String, value: String)] {
    headers.valuesInOrder.map { ($0.name, $0.value) }
  }

  /// True when both have the same values, in any case of the names.
  public static func == (first: ResponseHeaders, second: ResponseHeaders) -> Bool {
    first.headers.mapValues(\.value) == second.headers.mapValues(\.value)
  }

  /// Hashes the values by their names in lower case.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(headers.mapValues(\.value))
  }
}
