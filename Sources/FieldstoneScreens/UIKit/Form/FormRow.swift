#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import FieldstoneForms
  import UIKit

  /// A field in a form: its label, its control, its help and its issues.
  @MainActor
  final class FormRow {
    let field: FormField
    let control: any FieldControl
    private let form: FormModel
    let view: UIStackView
    private let issues = UILabel("", style: .footnote, color: .systemRed)
    private var follower: ChangeFollower<Void>?

    init(
      _ field: FormField, of form: FormModel, _ control: any FieldControl, requiredText: String
    ) {
      self.field = field
      self.form = form
      self.control = control
      let label = UILabel(field.label, style: .subheadline)
      // The control has the label for assistive technology.
      label.isAccessibilityElement = false
      let help = UILabel(field.help, style: .footnote, color: .secondaryLabel)
      help.isHidden = field.help.isEmpty
      help.isAccessibilityElement = false
      if control is SwitchControl {
        let line = UIStackView(.horizontal, spacing: 8, alignment: .center, [label, control.view])
        control.view.setContentHuggingPriority(.required, for: .horizontal)
        view = UIStackView(.vertical, spacing: 4, [line, help, issues])
      } else {
        view = UIStackView(.vertical, spacing: 4, [label, control.view, help, issues])
      }
      follower = ChangeFollower { [weak self] in
        self?.read()
      } use: { [weak self] _ in
        // Removing a focused line may change the field's issues; a change in `use` is not missed.
        self?.show(requiredText)
      }
      follower?.follow()
    }

    private func read() {
      _ = (field.text, field.items, field.issues, form.language, form.beginningCount)
    }

    private func show(_ requiredText: String) {
      let messages = field.issues.map {
        form.messages.sentence(for: $0, name: field.label)
      }
      issues.text = messages.joined(separator: "\n")
      issues.isHidden = messages.isEmpty
      var hints = messages
      if !field.help.isEmpty { hints.append(field.help) }
      let label = field.isRequired ? "\(field.label), \(requiredText)" : field.label
      control.show(
        field, FieldDescription(label: label, hint: hints.joined(separator: ". ")))
    }
  }
#endif
