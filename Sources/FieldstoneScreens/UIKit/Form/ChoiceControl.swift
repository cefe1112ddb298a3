#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import UIKit

  /// One of some values: a button with a menu.
  @MainActor
  final class ChoiceControl: FieldControl {
    private let button: UIButton
    private let none: String

    var element: UIView { button }
    var takesText: Bool { false }

    /// Makes the control.
    ///
    /// - Parameters:
    ///   - field: what is put in.
    ///   - none: what stands for no value where the field has no placeholder.
    init(_ field: FormField, none: String) {
      self.none = field.placeholder.isEmpty ? none : field.placeholder
      button = UIButton(configuration: .gray())
      button.showsMenuAsPrimaryAction = true
    }

    func show(_ field: FormField, _ description: FieldDescription) {
      let (text, options) = (field.text, field.kind.options)
      // What can't be chosen may be there all the same.
      let title = text.isEmpty ? none : options.first { $0.text == text }?.label ?? text
      button.configuration?.title = title
      button.menu = UIMenu(
        options: .singleSelection,
        children: ([FieldOption("", label: none)] + options).map { option in
          UIAction(title: option.label, state: option.text == text ? .on : .off) { [weak field] _ in
            field?.text = option.text
          }
        })
      button.describe(description)
      button.accessibilityValue = title
    }
  }
#endif
