public import FieldstoneFields
public import FieldstoneScreens

extension HTML {
  /// A form: its sections and fields with labels, help and issues, and a button that submits it.
  ///
  /// It works without scripts. Each label, help and issue is tied to its control; the field that
  /// the form has focused gets the focus, and what the form announces is announced. What is typed
  /// into a secure field is never written back.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - address: where it is posted.
  ///   - submit: what the button says.
  ///   - prefix: what the identifiers begin with, for several forms on a page: letters first, then
  ///     digits and hyphens, too; whatever else is in it is left out.
  ///   - hidden: values that are posted along, by name.
  @MainActor
  public static func form(
    _ form: FormModel, address: String, submit: String = ScreenTexts.current.submit,
    prefix: String = "form",
    hidden: [(name: String, value: String)] = []
  ) -> HTML {
    let prefix = plainName(prefix)
    return element(
      "form",
      [
        .class("form"), HTMLAttribute("method", "post"), .address("action", address),
        // The rules of the form speak, and not the browser's.
        HTMLAttribute("novalidate", isOn: true),
        HTMLAttribute("aria-busy", form.phase.isBusy ? "true" : "false"),
      ]
    ) {
      for (name, value) in hidden {
        element(
          "input",
          [
            HTMLAttribute("type", "hidden"), HTMLAttribute("name", name),
            HTMLAttribute("value", value),
          ])
      }
      announcement(of: form)
      for section in form.sections {
        element("fieldset") {
          if !section.title.isEmpty { element("legend") { text(section.title) } }
          for field in section.fields {
            FieldMarkup(field, identifier: "\(prefix)-\(field.position)", form: form).markup
          }
        }
      }
      element(
        "button",
        [HTMLAttribute("type", "submit"), HTMLAttribute("disabled", isOn: form.phase.isBusy)]
      ) { text(submit) }
    }
  }

  @MainActor
  private static func announcement(of form: FormModel) -> HTML {
    let issues = form.issues.map { form.messages.text(for: $0) }
    return element("div", [.class("form-announcement"), HTMLAttribute("role", "alert")]) {
      if let announcement = form.announcement, form.invalidCount > 0 || !issues.isEmpty {
        element("p") { text(announcement.text) }
      }
      for issue in issues {
        element("p") { text(issue) }
      }
    }
  }
}

extension FormModel {
  /// Takes what a browser has posted, as one edit by the person.
  ///
  /// A check box that was not posted is off. The items of a field of several values are taken in
  /// order; empty ones go. Names that no field has are left alone.
  ///
  /// - Parameter values: names and values in the order in which they were posted.
  public func take(posted values: [(name: String, value: String)]) {
    let byName = Dictionary(grouping: values, by: \.name).mapValues { $0.map(\.value) }
    Fields.batch {
      for field in fields {
        if field.kind == .toggle {
          setText(byName[field.key]?.last ?? "false", of: field)
        } else if let posted = byName[field.key] {
          if field.kind == .list {
            takeItems(posted.filter { !$0.isEmpty }, of: field)
          } else {
            // Browsers end lines in their own way.
            setText((posted.last ?? "").replacing("\r\n", with: "\n"), of: field)
          }
        }
      }
    }
  }

  private func setText(_ text: String, of field: FormField) {
    if field.text != text { field.text = text }
  }

  private func takeItems(_ texts: [String], of field: FormField) {
    let items = field.items
    for (item, text) in zip(items, texts) where item.text != text {
      field.setText(text, of: item.id)
    }
    for item in items.dropFirst(texts.count) { field.removeItem(item.id) }
    for text in texts.dropFirst(items.count) { field.appendItem(text) }
  }
}
