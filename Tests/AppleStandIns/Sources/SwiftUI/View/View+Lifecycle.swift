// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension View {
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    altered { site, content in
      site.graph.present(site.path, appeared: action)
      return content._nodes(site)
    }
  }

  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    altered { site, content in
      site.graph.present(site.path, disappeared: action)
      return content._nodes(site)
    }
  }

  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    altered { site, content in
      site.graph.compare(value, at: site.path, initial: initial, action)
      return content._nodes(site)
    }
  }

  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
    noted { $0.refreshed = action }
  }

  /// Takes its room, and is neither seen nor touched.
  public func hidden() -> some View {
    altered { site, content in
      let node = site.node("Hidden")
      node.modifiers["words"] = content._nodes(site).map(\.words).joined(separator: " ")
      return [node]
    }
  }

  public func id<ID: Hashable>(_ id: ID) -> some View {
    altered { site, content in
      if site.environment.isLazy, !site.graph.isInSight(AnyHashable(id)) { return [] }
      let nodes = content._nodes(site.step("id:\(id)"))
      for node in nodes { node.id = AnyHashable(id) }
      return nodes
    }
  }
}
