#if INSPECTOR
  import FieldstoneServing

  /// The path and the query of a request, decoded.
  struct RequestTarget {
    /// The parts of the path between its slashes.
    var path: [String]
    /// The names and values of the query, in order.
    var query: FormValues

    /// Parses a target; nil if it is not under the prefix, in any encoding.
    init?(_ target: String, under prefix: String) {
      let request = SiteRequest(target: target)
      // As a link, a target with two slashes, or a slash and a backslash, would name another host.
      guard request.path.hasPrefix("/"), !request.path.contains("//"),
        !request.path.contains("\\")
      else { return nil }
      let parts = request.path.split(separator: "/").map { PercentCoding.decode($0) }
      let first = prefix.split(separator: "/").map { PercentCoding.decode($0) }
      guard parts.starts(with: first) else { return nil }
      path = Array(parts.dropFirst(first.count))
      query = FormValues(request.query)
    }
  }
#endif
