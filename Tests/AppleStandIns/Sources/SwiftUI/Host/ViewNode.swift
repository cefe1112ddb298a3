// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Something to see, as the host has found it: a text, a control or a container.
@MainActor
public final class ViewNode {
  /// What it is, by the name of its view's type.
  public let kind: String

  /// What it says itself.
  public let text: String

  public var children: [ViewNode] = []

  /// Where it is among all views: the same as long as the view is there.
  public let path: String

  /// What is in the control.
  public var value = ""

  /// What can be chosen from.
  public var options: [ViewNode] = []

  public let isEnabled: Bool
  public var modifiers: [String: String] = [:]

  public var accessibilityLabel: String?
  public var accessibilityHint = ""
  public var accessibilityValue = ""
  public var accessibilityChildren: AccessibilityChildBehavior?
  public var isAccessibilityHidden = false
  public var traits = AccessibilityTraits()

  var label = ""
  var id: AnyHashable?
  var tag: AnyHashable?
  var canBeFocused = false
  var focus: FocusLink?
  var spokenFocus: FocusLink?
  var tapped: (@MainActor () -> Void)?
  var tappedBeside: (@MainActor () -> Void)?
  var refreshed: (@Sendable () async -> Void)?
  var typed: ((String) -> Void)?
  var picked: ((Date) -> Void)?
  var chosen: ((AnyHashable) -> Void)?
  var submitted: [() -> Void] = []

  init(_ kind: String, _ text: String, path: String, isEnabled: Bool) {
    self.kind = kind
    self.text = text
    self.path = path
    self.isEnabled = isEnabled
  }

  /// Itself and all that is in it, outermost first.
  public var all: [ViewNode] { [self] + children.flatMap(\.all) }

  /// All that is said in it.
  public var words: String {
    ([text] + children.map(\.words)).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// What assistive technology calls it.
  public var name: String { accessibilityLabel ?? (label.isEmpty ? words : label) }

  /// Whether it has the focus of the keyboard.
  public var isFocused: Bool { focus?.isFocused ?? false }

  /// Whether it has the focus of assistive technology.
  public var isSpokenFocused: Bool { spokenFocus?.isFocused ?? false }
}
