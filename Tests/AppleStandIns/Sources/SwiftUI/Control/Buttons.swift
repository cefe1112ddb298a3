// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct ButtonRole: Equatable, Sendable {
  let name: String
  public static let destructive = ButtonRole(name: "destructive")
  public static let cancel = ButtonRole(name: "cancel")
}

nonisolated public struct Button<Label: View>: View, Leaf {
  let role: ButtonRole?
  let action: @MainActor () -> Void
  let label: Label

  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    role = nil
    self.action = action
    self.label = label()
  }

  public init(
    role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {
    self.role = role
    self.action = action
    self.label = label()
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("Button")
    node.tapped = action
    node.modifiers["role"] = role?.name
    node.children = label._nodes(site.step("label"))
    return [node]
  }
}

extension Button where Label == Text {
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(titleKey) }
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(verbatim: String(title)) }
  }
}

nonisolated public struct Toggle<Label: View>: View, Leaf {
  let isOn: Binding<Bool>
  let label: Label

  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    self.isOn = isOn
    self.label = label()
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("Toggle")
    let isOn = isOn
    node.value = "\(isOn.wrappedValue)"
    node.tapped = { isOn.wrappedValue.toggle() }
    node.children = label._nodes(site.step("label"))
    return [node]
  }
}

nonisolated public struct ProgressView<Label: View, CurrentValueLabel: View>: View, Leaf {
  let label: Label?

  public init() where Label == EmptyView, CurrentValueLabel == EmptyView { label = nil }

  public init(_ titleKey: LocalizedStringKey) where Label == Text, CurrentValueLabel == EmptyView {
    label = Text(titleKey)
  }

  public init(@ViewBuilder label: () -> Label) where CurrentValueLabel == EmptyView {
    self.label = label()
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("ProgressView")
    node.children = label?._nodes(site.step("label")) ?? []
    return [node]
  }
}

nonisolated public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View, Leaf {
  let selection: Binding<SelectionValue>
  let content: Content
  let label: Label

  public init(
    selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
    @ViewBuilder label: () -> Label
  ) {
    self.selection = selection
    self.content = content()
    self.label = label()
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("Picker")
    let selection = selection
    let options = content._nodes(site.step("content"))
    node.options = options
    node.value = options.first { $0.tag == AnyHashable(selection.wrappedValue) }?.words ?? ""
    node.chosen = { tag in
      if let value = tag.base as? SelectionValue { selection.wrappedValue = value }
    }
    node.children = label._nodes(site.step("label"))
    return [node]
  }
}
