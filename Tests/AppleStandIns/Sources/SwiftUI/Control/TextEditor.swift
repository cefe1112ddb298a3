// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@available(tvOS, unavailable)
@available(watchOS, unavailable)
nonisolated public struct TextEditor: View, Leaf {
  let text: Binding<String>

  public init(text: Binding<String>) {
    self.text = text
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("TextEditor")
    let text = text
    node.value = text.wrappedValue
    node.typed = { text.wrappedValue = $0 }
    node.canBeFocused = true
    // Its return key begins another line, and submits nothing.
    node.submitted = [{ text.wrappedValue += "\n" }]
    return [node]
  }
}
