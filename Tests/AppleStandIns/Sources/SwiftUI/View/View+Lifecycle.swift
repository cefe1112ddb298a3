// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension View {
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    altered(by: action) { site, content, action in
      site.graph.present(site.path, appeared: action)
      return content._nodes(site)
    }
  }

  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    altered(by: action) { site, content, action in
      site.graph.present(site.path, disappeared: action)
      return content._nodes(site)
    }
  }

  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    altered(by: (value, action)) { site, content, given in
      site.graph.compare(given.0, at: site.path, initial: initial, given.1)
      return content._nodes(site)
    }
  }

  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  nonisolated public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some View {
    transformEnvironment(keyPath) { $0 = value }
  }

  nonisolated public func transformEnvironment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
  ) -> some View {
    altered(by: (keyPath, transform)) { site, content, given in
      var site = site
      given.1(&site.environment[keyPath: given.0])
      return content._nodes(site)
    }
  }

  nonisolated public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
    noted(action) { $0.refreshed = $1 }
  }

  /// Takes its room, and is neither seen nor touched.
  nonisolated public func hidden() -> some View {
    altered(by: ()) { site, content, _ in
      let node = site.node("Hidden")
      node.modifiers["words"] = content._nodes(site).map(\.words).joined(separator: " ")
      return [node]
    }
  }

  nonisolated public func id<ID: Hashable>(_ id: ID) -> some View {
    altered(by: id) { site, content, id in
      if site.environment.isLazy, !site.graph.isInSight(AnyHashable(id)) { return [] }
      let nodes = content._nodes(site.step("id:\(id)"))
      for node in nodes { node.id = AnyHashable(id) }
      return nodes
    }
  }
}
