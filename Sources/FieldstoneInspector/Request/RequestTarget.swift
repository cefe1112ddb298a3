#if Inspector
  import Foundation

  /// The path and the query of a request, decoded.
  struct RequestTarget {
    /// The parts of the path between its slashes.
    var path: [String]
    /// The names and values of the query, in their order.
    var query: FormValues

    /// Reads a target; nil when it is not under the prefix.
    init?(_ target: String, under prefix: String) {
      let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      guard let whole = parts.first, whole.hasPrefix("/"), whole.hasPrefix(prefix) else {
        return nil
      }
      let rest = whole.dropFirst(prefix.count)
      guard rest.isEmpty || rest.hasPrefix("/") else { return nil }
      path = rest.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
      query = FormValues(parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// Names and values as a query or a posted form has them.
  struct FormValues {
    private(set) var pairs: [(name: String, value: String)]

    /// Reads at most 64 pairs; the rest is ignored.
    init(_ text: String) {
      pairs = text.split(separator: "&", maxSplits: 64).prefix(64).map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
      }
    }

    /// The first value of a name; nil when it is empty or not there.
    subscript(name: String) -> String? {
      pairs.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// All values of a name.
    func all(_ name: String) -> [String] {
      pairs.filter { $0.name == name }.map(\.value)
    }

    private static func decoded(_ text: Substring) -> String {
      let blank = text.replacing("+", with: " ")
      return blank.removingPercentEncoding ?? String(blank)
    }
  }
#endif
