// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@available(tvOS, unavailable)
public struct DatePickerComponents: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let hourAndMinute = DatePickerComponents(rawValue: 1)
  public static let date = DatePickerComponents(rawValue: 2)
}

@available(tvOS, unavailable)
nonisolated public struct DatePicker<Label: View>: View, Leaf {
  public typealias Components = DatePickerComponents

  let selection: Binding<Date>
  let components: DatePickerComponents
  let label: Label

  public init(
    selection: Binding<Date>,
    displayedComponents: DatePicker<Label>.Components = [
      .hourAndMinute, .date,
    ], @ViewBuilder label: () -> Label
  ) {
    self.selection = selection
    components = displayedComponents
    self.label = label()
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("DatePicker")
    let selection = selection
    node.value = "\(selection.wrappedValue.timeIntervalSince1970)"
    node.modifiers["components"] = "\(components.rawValue)"
    node.modifiers["timeZone"] = site.environment.timeZone.identifier
    node.modifiers["calendarTimeZone"] = site.environment.calendar.timeZone.identifier
    node.picked = { selection.wrappedValue = $0 }
    node.children = label._nodes(site.step("label"))
    return [node]
  }
}

public struct LabeledContent<Label, Content> {
  let label: Label
  let content: Content
}

extension LabeledContent: View, Leaf where Label: View, Content: View {
  public typealias Body = Never
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    self.init(label: label(), content: content())
  }
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("LabeledContent")
    node.children = label._nodes(site.step("label")) + content._nodes(site.step("content"))
    return [node]
  }
}
