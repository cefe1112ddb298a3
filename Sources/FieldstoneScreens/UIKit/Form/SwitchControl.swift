#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import UIKit

  /// Yes or no.
  @MainActor
  final class SwitchControl: FieldControl {
    private let toggle = UISwitch()

    var element: UIView { toggle }
    var takesText: Bool { false }

    init(_ field: FormField) {
      let action = UIAction { [weak toggle] _ in
        if let toggle { field.text = toggle.isOn ? "true" : "false" }
      }
      toggle.addAction(action, for: .valueChanged)
    }

    func show(_ field: FormField, _ description: FieldDescription) {
      let isOn = field.text == "true"
      if toggle.isOn != isOn { toggle.setOn(isOn, animated: toggle.window != nil) }
      toggle.describe(description)
    }
  }
#endif
