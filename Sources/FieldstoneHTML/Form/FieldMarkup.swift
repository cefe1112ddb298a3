import FieldstoneFields
import FieldstoneForms

/// One field of a form as HTML.
@MainActor
struct FieldMarkup {
  let field: FormField
  let identifier: String
  let form: FormModel
  let messages: [String]

  init(_ field: FormField, identifier: String, form: FormModel) {
    self.field = field
    self.identifier = identifier
    self.form = form
    messages = field.messages
  }

  var markup: HTML {
    HTML.element("div", [.class(messages.isEmpty ? "field" : "field field-invalid")]) {
      if field.kind == .toggle {
        control
        label
      } else {
        label
        control
      }
      if !field.help.isEmpty {
        HTML.element("p", [.class("field-help"), .id("\(identifier)-help")]) {
          HTML.text(field.help)
        }
      }
      HTML.element("ul", [.class("field-issues"), .id("\(identifier)-issues")]) {
        for message in messages {
          HTML.element("li") { HTML.text(form.messages.sentence(message, name: field.label)) }
        }
      }
    }
  }

  private var label: HTML {
    HTML.element("label", [HTMLAttribute("for", identifier)]) { HTML.text(field.label) }
  }

  private var control: HTML {
    switch field.kind {
    case .multiline(let lines):
      HTML.element("textarea", common() + [HTMLAttribute("rows", "\(lines)")]) {
        // A line break right after the tag is not part of the text.
        HTML.text("\n" + field.text)
      }
    case .choice(let options): choice(options)
    case .toggle:
      HTML.element(
        "input",
        common() + [
          HTMLAttribute("type", "checkbox"), HTMLAttribute("value", "true"),
          HTMLAttribute("checked", isOn: field.text == "true"),
        ])
    case .list: list
    default:
      HTML.element(
        "input",
        common() + typed(field.kind)
          + [HTMLAttribute("value", field.kind.isSecure ? nil : field.text)])
    }
  }

  private func choice(_ options: [FieldOption]) -> HTML {
    // A value that is no option any more stays: a page without it would post another.
    let isOption = field.text.isEmpty || options.contains { $0.text == field.text }
    let options = isOption ? options : [FieldOption(field.text)] + options
    return HTML.element("select", common()) {
      HTML.element("option", [HTMLAttribute("value", "")]) {}
      for option in options {
        HTML.element(
          "option",
          [
            HTMLAttribute("value", option.text),
            HTMLAttribute("selected", isOn: option.text == field.text),
          ]
        ) { HTML.text(option.label) }
      }
    }
  }

  /// One control for each item and one for a new item; an item whose text is emptied is removed.
  private var list: HTML {
    let items =
      field.unreadableItems?.map { (text: $0, isUnreadable: field.isUnreadable(item: $0)) }
      ?? field.items.map { (text: $0.text, isUnreadable: !$0.issues.isEmpty) }
    let isSecure = field.itemKind.isSecure
    return HTML.element("div", [.class("field-items"), HTMLAttribute("role", "group")]) {
      for (index, item) in items.enumerated() {
        HTML.element(
          "input",
          itemControl(index, isInvalid: item.isUnreadable)
            + [HTMLAttribute("value", isSecure ? nil : item.text)])
      }
      HTML.element("input", itemControl(items.count, isInvalid: false))
    }
  }

  private func itemControl(_ index: Int, isInvalid: Bool) -> [HTMLAttribute] {
    [
      .id(index == 0 ? identifier : "\(identifier)-\(index)"),
      HTMLAttribute("name", field.key),
      HTMLAttribute("aria-label", "\(field.label) \(index + 1)"),
      HTMLAttribute("aria-invalid", isInvalid ? "true" : "false"),
      HTMLAttribute("aria-describedby", "\(identifier)-issues"),
      HTMLAttribute("autofocus", isOn: index == 0 && field.isFocused),
    ] + typed(field.itemKind)
  }

  private func common() -> [HTMLAttribute] {
    let described = (field.help.isEmpty ? [] : ["\(identifier)-help"]) + ["\(identifier)-issues"]
    return [
      .id(identifier), HTMLAttribute("name", field.key),
      HTMLAttribute("autocomplete", field.contentType?.rawValue),
      HTMLAttribute("placeholder", field.placeholder.isEmpty ? nil : field.placeholder),
      HTMLAttribute("aria-required", field.isRequired ? "true" : nil),
      HTMLAttribute("aria-invalid", messages.isEmpty ? "false" : "true"),
      HTMLAttribute("aria-describedby", described.joined(separator: " ")),
      HTMLAttribute("autofocus", isOn: field.isFocused),
    ]
  }

  private func typed(_ kind: FieldKind) -> [HTMLAttribute] {
    let type =
      switch kind {
      case .secure: "password"
      case .email: "email"
      case .url: "url"
      case .phone: "tel"
      case .date where field.hasWebText: "datetime-local"
      case .day where field.hasWebText: "date"
      case .time where field.hasWebText: "time"
      default: "text"
      }
    let mode: String? =
      switch field.keyboard {
      case .integer: "numeric"
      case .decimal: "decimal"
      default: nil
      }
    return [HTMLAttribute("type", type), HTMLAttribute("inputmode", mode)]
  }
}
