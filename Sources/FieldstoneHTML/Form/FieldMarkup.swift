import FieldstoneFields
import FieldstoneForms

/// One field of a form as HTML.
@MainActor
struct FieldMarkup {
  let field: FormField
  let identifier: String
  /// The name of its control.
  let name: String
  let form: FormModel
  let messages: [String]

  init(_ field: FormField, identifier: String, name: String, form: FormModel) {
    self.field = field
    self.identifier = identifier
    self.name = name
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
    case .multiline(let lines): box(lines, field.text, common())
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
          + [HTMLAttribute("value", field.kind.isSecure ? nil : field.shownText)])
    }
  }

  private func box(_ lines: Int, _ text: String, _ attributes: [HTMLAttribute]) -> HTML {
    HTML.element("textarea", attributes + [HTMLAttribute("rows", "\(lines)")]) {
      // A line break right after the tag is not part of the text.
      HTML.text("\n" + text)
    }
  }

  private func choice(_ options: [FieldOption]) -> HTML {
    // A value that is no option any more stays: a page without it would post another. Compared by
    // scalars, as a posted text is: one that only looks the same is another option.
    let text = field.text
    let isOption = text.isEmpty || options.contains { $0.text.isIdentical(to: text) }
    let options = isOption ? options : [FieldOption(text)] + options
    return HTML.element("select", common()) {
      HTML.element("option", [HTMLAttribute("value", "")]) {}
      for option in options {
        HTML.element(
          "option",
          [
            HTMLAttribute("value", option.text),
            HTMLAttribute("selected", isOn: option.text.isIdentical(to: text)),
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
    return HTML.element("div", [.class("field-items"), HTMLAttribute("role", "group")]) {
      for (index, item) in items.enumerated() {
        itemControl(index, item.text, isInvalid: item.isUnreadable)
      }
      itemControl(items.count, nil, isInvalid: false)
    }
  }

  private func itemControl(_ index: Int, _ text: String?, isInvalid: Bool) -> HTML {
    let attributes = [
      .id(index == 0 ? identifier : "\(identifier)-\(index)"),
      HTMLAttribute("name", name),
      HTMLAttribute("aria-label", "\(field.label) \(index + 1)"),
      // One item is enough.
      HTMLAttribute("aria-required", index == 0 && field.isRequired ? "true" : nil),
      HTMLAttribute("aria-invalid", isInvalid ? "true" : "false"),
      HTMLAttribute("aria-describedby", described),
      HTMLAttribute("autofocus", isOn: index == 0 && field.isFocused),
    ]
    if case .multiline(let lines) = field.itemKind { return box(lines, text ?? "", attributes) }
    let value = field.itemKind.isSecure ? nil : text
    return HTML.element(
      "input", attributes + typed(field.itemKind) + [HTMLAttribute("value", value)])
  }

  private func common() -> [HTMLAttribute] {
    [
      .id(identifier), HTMLAttribute("name", name),
      HTMLAttribute("autocomplete", field.contentType?.rawValue),
      HTMLAttribute("placeholder", field.placeholder.isEmpty ? nil : field.placeholder),
      HTMLAttribute("aria-required", field.isRequired ? "true" : nil),
      HTMLAttribute("aria-invalid", messages.isEmpty ? "false" : "true"),
      HTMLAttribute("aria-describedby", described),
      HTMLAttribute("autofocus", isOn: field.isFocused),
    ]
  }

  /// The identifiers of the help and the issues.
  private var described: String {
    field.help.isEmpty ? "\(identifier)-issues" : "\(identifier)-help \(identifier)-issues"
  }

  private func typed(_ kind: FieldKind) -> [HTMLAttribute] {
    let type =
      switch kind {
      case .secure: "password"
      case .email: "email"
      case .url: "url"
      case .phone: "tel"
      default: field.dateControl ?? "text"
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

extension FormField {
  /// The type of its control for dates; nil if it has no date, or a text that can't be read.
  fileprivate var dateControl: String? {
    guard hasWebText else { return nil }
    return switch kind {
    case .date: "datetime-local"
    case .day: "date"
    case .time: "time"
    default: nil
    }
  }

  /// The text in its control on a page.
  ///
  /// A control for dates shows nothing, and posts it, where its text is not exactly as the value is
  /// printed: with a space around it, for example.
  var shownText: String { dateControl == nil ? text : textOfValue }
}
