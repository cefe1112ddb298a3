#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import Foundation
  import UIKit

  /// A date, or none: a date picker with a button that clears it, or a button that sets one.
  @MainActor
  final class DateControl: FieldControl {
    private let typed: Field<Date>
    private let stack: UIStackView
    private let picker = UIDatePicker()
    private let clear: UIButton
    private let choose: UIButton

    var view: UIView { stack }
    var element: UIView { typed.value == nil ? choose : picker }
    var takesText: Bool { false }

    /// Makes the control; it is nil for a field whose values are no dates.
    ///
    /// - Parameters:
    ///   - field: what is put in.
    ///   - texts: what the buttons say.
    ///   - now: what a date that is set for the first time begins with.
    init?(
      _ field: FormField, texts: FormViewController.Texts, now: @escaping @MainActor () -> Date
    ) {
      guard let typed = field.field as? Field<Date> else { return nil }
      self.typed = typed
      clear = Self.button(texts.clearDate) { typed.set(nil, origin: .user) }
      choose = Self.button(texts.chooseDate) { typed.set(now(), origin: .user) }
      stack = UIStackView(.horizontal, spacing: 8, [choose, picker, clear])
      let action = UIAction { [weak picker] _ in
        if let picker { typed.set(picker.date, origin: .user) }
      }
      picker.addAction(action, for: .valueChanged)
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
      clear.accessibilityLabel = "\(clear.configuration?.title ?? "") \(field.label)"
    }
  }
#endif
