// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Where in the tree a view is asked for its nodes, and what holds there.
@MainActor
public struct Site {
  let graph: ViewGraph
  let path: String
  var environment: EnvironmentValues

  func step(_ name: String) -> Site {
    var site = self
    site = Site(graph: graph, path: "\(path)/\(name)", environment: environment)
    return site
  }

  func node(_ kind: String, _ text: String = "") -> ViewNode {
    ViewNode(kind, text, path: path, isEnabled: environment.isEnabled)
  }

  func container<Content: View>(_ kind: String, _ content: Content) -> [ViewNode] {
    let node = node(kind)
    node.children = content._nodes(step("content"))
    return [node]
  }

  /// Gives a view's properties what is kept for them.
  func connect<Content: View>(_ view: Content) {
    for child in Mirror(reflecting: view).children {
      if let property = child.value as? any Connectable {
        property.connect(self, child.label ?? "")
      }
    }
  }
}
