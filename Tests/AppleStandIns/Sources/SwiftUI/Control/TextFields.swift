// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum Axis: Int8, CaseIterable, Sendable {
  case horizontal
  case vertical
}

nonisolated public struct TextField<Label: View>: View, Leaf {
  let text: Binding<String>
  let prompt: Text?
  let axis: Axis
  let label: Label

  public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
    self.init(text: text, prompt: prompt, axis: .horizontal, label: label)
  }

  public init(
    text: Binding<String>, prompt: Text? = nil, axis: Axis, @ViewBuilder label: () -> Label
  ) {
    self.text = text
    self.prompt = prompt
    self.axis = axis
    self.label = label()
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.typed("TextField", text: text, prompt: prompt, label: label)
    node.modifiers["axis"] = "\(axis)"
    return [node]
  }
}

nonisolated public struct SecureField<Label: View>: View, Leaf {
  let text: Binding<String>
  let prompt: Text?
  let label: Label

  public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
    self.text = text
    self.prompt = prompt
    self.label = label()
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    [site.typed("SecureField", text: text, prompt: prompt, label: label)]
  }
}

extension Site {
  func typed<Label: View>(
    _ kind: String, text: Binding<String>, prompt: Text?, label: Label
  ) -> ViewNode {
    let node = node(kind)
    node.value = text.wrappedValue
    node.typed = { text.wrappedValue = $0 }
    node.canBeFocused = true
    node.submitted = environment.submitActions
    node.modifiers["prompt"] = prompt?.content
    // A field's label is no text of its own.
    node.label = label._nodes(step("label")).map(\.words).joined(separator: " ")
    return node
  }
}
