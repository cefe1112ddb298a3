#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import UIKit

  /// What a field is put in with.
  @MainActor
  protocol FieldControl: AnyObject {
    /// What is put into the form.
    var view: UIView { get }

    /// What the focus and assistive technology go to.
    var element: UIView { get }

    /// Whether it is typed into.
    var takesText: Bool { get }

    /// Puts a bar above its keyboard; nothing where it is not typed into.
    func put(_ bar: UIView)

    /// Shows what is in the field.
    ///
    /// - Parameter description: how assistive technology is to describe it.
    func show(_ field: FormField, _ description: FieldDescription)
  }

  extension FieldControl {
    var view: UIView { element }

    func put(_ bar: UIView) {}
  }

  /// How assistive technology describes a control.
  struct FieldDescription: Equatable {
    /// What it is.
    var label: String
    /// What is wrong with it, and what helps to fill it in.
    var hint: String
  }

  extension UIView {
    func describe(_ description: FieldDescription) {
      accessibilityLabel = description.label
      accessibilityHint = description.hint.isEmpty ? nil : description.hint
    }
  }
#endif
