import FieldstoneFields
public import FieldstoneForms
public import FieldstoneScreens

extension HTML {
  /// Makes a form: its sections, its fields with labels, help and issues, and a submit button.
  ///
  /// It works without scripts. Labels, help and issues refer to their control. The form's focused
  /// field has the focus, and its announcement is a live region. The page never has the text of a
  /// secure field.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - address: the URL that the form is posted to.
  ///   - submit: the title of the button.
  ///   - prefix: the beginning of the identifiers, for several forms on a page. It has letters,
  ///     digits and hyphens, a letter first; other characters are left out.
  ///   - hidden: more values to post, by name.
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
        // The form's rules replace the browser's validation.
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
  /// Sets the fields to posted values, as one edit by the user.
  ///
  /// A check box that was not posted is off. The items of a field of several values are set by their
  /// places; an empty one is removed. Unknown names are ignored.
  ///
  /// A browser leaves line ends out of a text of one line, and posts an empty secure text, because
  /// the page does not have the present one. Neither changes the field. O(n).
  ///
  /// - Parameter values: the names and values in the posted order.
  public func take(posted values: [(name: String, value: String)]) {
    let byName = Dictionary(grouping: values, by: \.name).mapValues { $0.map(\.value) }
    Fields.batch {
      for field in fields {
        if field.kind == .toggle {
          setText(byName[field.key]?.last ?? "false", of: field)
        } else if let posted = byName[field.key] {
          if field.kind == .list {
            takeItems(posted, of: field)
          } else {
            setText(posted.last ?? "", of: field)
          }
        }
      }
    }
  }

  private func setText(_ text: String, of field: FormField) {
    field.text = field.kind.typed(text, where: field.text)
  }

  private func takeItems(_ texts: [String], of field: FormField) {
    let shown = field.unreadableItems ?? field.items.map(\.text)
    let kind = field.itemKind
    field.setItems(
      texts.enumerated().map { index, text in
        index < shown.count
          ? kind.typed(text, where: shown[index]) : kind.withoutCarriageReturns(text)
      })
  }
}

extension FieldKind {
  /// The text that was typed into a control, given what a browser has posted and what was shown.
  fileprivate func typed(_ posted: String, where shown: String) -> String {
    if isSecure, posted.isEmpty { return shown }
    let posted = withoutCarriageReturns(posted)
    let isUnedited = withoutCarriageReturns(shown, isOneLine: isOneLine).isIdentical(to: posted)
    return isUnedited ? shown : posted
  }

  /// Browsers send lines with CRLF.
  fileprivate func withoutCarriageReturns(_ text: String, isOneLine: Bool = false) -> String {
    if !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) { return text }
    let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    return isOneLine ? lines.replacing("\n", with: "") : lines
  }

  private var isOneLine: Bool {
    switch self {
    case .multiline, .choice: false
    default: true
    }
  }
}
