#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import FieldstoneForms
  import Foundation
  import UIKit

  /// The control of a field.
  @MainActor
  protocol FieldControl: AnyObject {
    /// The view for the form's stack.
    var view: UIView { get }

    /// The view for the focus and for assistive technology.
    var element: UIView { get }

    /// Whether it is edited by typing.
    var takesText: Bool { get }

    /// Sets the bar above its keyboard; a no-op for a control without one.
    func put(_ bar: UIView)

    /// Displays the field's content.
    ///
    /// - Parameter description: the description for assistive technology.
    func show(_ field: FormField, _ description: FieldDescription)

    /// Gives the field what was typed and is not in it yet.
    ///
    /// - Returns: the view whose text can't be read, and stays with an issue at the field; else nil.
    func addTypedText() -> UIView?
  }

  extension FieldControl {
    var view: UIView { element }

    func put(_ bar: UIView) {}

    func addTypedText() -> UIView? { nil }
  }

  /// The description of a control for assistive technology.
  struct FieldDescription: Equatable {
    /// The name of the control.
    var label: String
    /// The issues and the help.
    var hint: String
  }

  extension UIView {
    func describe(_ description: FieldDescription) {
      accessibilityLabel = description.label
      accessibilityHint = description.hint.isEmpty ? nil : description.hint
    }
  }

  /// A switch for a Boolean value.
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

  /// A button with a menu, for one of several options.
  @MainActor
  final class ChoiceControl: FieldControl {
    private let button: UIButton
    private let none: String

    var element: UIView { button }
    var takesText: Bool { false }

    /// Makes the control.
    ///
    /// - Parameters:
    ///   - field: the field to edit.
    ///   - none: the title for nil, if the field has no placeholder.
    init(_ field: FormField, none: String) {
      self.none = field.placeholder.isEmpty ? none : field.placeholder
      button = UIButton(configuration: .gray())
      button.showsMenuAsPrimaryAction = true
    }

    func show(_ field: FormField, _ description: FieldDescription) {
      let (text, options) = (field.text, field.kind.options)
      // The current value may not be one of the options.
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

  /// A date picker with a button that clears it, or a button that sets a missing date.
  @MainActor
  final class DateControl: FieldControl {
    private let typed: Field<Date>
    private let stack: UIStackView
    private let picker = UIDatePicker()
    private let clear: UIButton
    private let choose: UIButton
    private let clearField: String

    var view: UIView { stack }
    var element: UIView { typed.value == nil ? choose : picker }
    var takesText: Bool { false }

    /// Makes the control; nil for a field whose values are not dates.
    ///
    /// - Parameters:
    ///   - field: the field to edit.
    ///   - texts: the titles of the buttons.
    ///   - now: the initial value of a date that is set for the first time.
    init?(
      _ field: FormField, texts: ScreenTexts, now: @escaping @MainActor () -> Date
    ) {
      guard let typed = field.field as? Field<Date> else { return nil }
      self.typed = typed
      clearField = texts.clearField
      clear = Self.button(texts.clear) { typed.set(nil, origin: .user) }
      choose = Self.button(texts.setDate) { field.pick(now()) }
      stack = UIStackView(.horizontal, spacing: 8, [choose, picker, clear])
      let action = UIAction { [weak picker] _ in
        if let picker { field.pick(picker.date) }
      }
      picker.addAction(action, for: .valueChanged)
      picker.timeZone = field.timeZone
      picker.datePickerMode =
        switch field.kind {
        case .day: .date
        case .time: .time
        default: .dateAndTime
        }
    }

    private static func button(
      _ title: String, _ action: @escaping @MainActor () -> Void
    ) -> UIButton {
      var configuration = UIButton.Configuration.gray()
      configuration.title = title
      return UIButton(
        configuration: configuration, primaryAction: UIAction(title: title) { _ in action() })
    }

    func show(_ field: FormField, _ description: FieldDescription) {
      let date = typed.value
      if let date, picker.date != date { picker.date = date }
      choose.isHidden = date != nil
      picker.isHidden = date == nil
      clear.isHidden = date == nil
      picker.describe(description)
      choose.describe(description)
      choose.accessibilityValue = choose.configuration?.title
      clear.accessibilityLabel = ScreenTexts.put(field.label, into: clearField)
    }
  }
#endif
