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
    let names = form.controlNames
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
            FieldMarkup(
              field, identifier: "\(prefix)-\(field.position)", name: names[field.position],
              form: form
            ).markup
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
      // What a server has reported at a field is no finding of a rule, and is not counted as one.
      let isWrong =
        !issues.isEmpty || form.invalidCount > 0
        || form.fields.contains { $0.issues.contains(where: \.isError) }
      if let announcement = form.announcement, isWrong {
        element("p") { text(announcement.text) }
      }
      for issue in issues {
        element("p") { text(issue) }
      }
    }
  }
}

extension FormModel {
  /// The names of the fields' controls, by position.
  ///
  /// O(n). They are the keys, and others for keys that are empty or shared, whose values could not be told
  /// apart.
  fileprivate var controlNames: [String] {
    let keys = Dictionary(fields.map { ($0.key, 1) }, uniquingKeysWith: +)
    return fields.map { field in
      if !field.key.isEmpty, keys[field.key] == 1 { return field.key }
      var name = "\(field.key)-\(field.position)"
      while keys[name] != nil { name += "-" }
      return name
    }
  }

  /// Sets the fields to posted values, as one edit by the user.
  ///
  /// A check box that was not posted is off. If its value was nil it stays nil, unless the field
  /// refuses nil: then off is the answer. The items of a field of several values are set by their
  /// places; one that is emptied is removed. Unknown names are ignored.
  ///
  /// A field whose key is empty or that of another field has a name of its own in the page.
  ///
  /// A browser leaves line ends out of a text of one line, and spaces around an email or web address.
  /// It posts an empty secure text, because the page does not have the present one. None of these
  /// changes the field. O(n).
  ///
  /// - Parameter values: the names and values in the posted order.
  public func take(posted values: [(name: String, value: String)]) {
    let byName = Dictionary(grouping: values, by: \.name).mapValues { $0.map(\.value) }
    Fields.batch {
      for (field, name) in zip(fields, controlNames) {
        if field.kind == .toggle {
          let isNewlyOff = field.text == "true" || field.text.isEmpty && field.isRequired
          if let text = byName[name]?.last ?? (isNewlyOff ? "false" : nil) {
            setText(text, of: field)
          }
        } else if let posted = byName[name] {
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
    let shown = field.shownText
    let typed = field.kind.typed(text, where: shown)
    if !typed.isIdentical(to: shown) { field.text = typed }
  }

  private func takeItems(_ texts: [String], of field: FormField) {
    let shown = field.unreadableItems ?? field.items.map(\.text)
    let kind = field.itemKind
    field.setItems(
      texts.enumerated().map { index, text in
        index < shown.count
          ? kind.typed(text, where: shown[index], isItem: true) : kind.withoutCarriageReturns(text)
      })
  }
}

extension FieldKind {
  /// The text that was typed into a control, given what a browser has posted and what was shown.
  fileprivate func typed(_ posted: String, where shown: String, isItem: Bool = false) -> String {
    if isSecure, posted.isEmpty { return shown }
    let posted = withoutCarriageReturns(posted)
    return unedited(shown, isItem: isItem).isIdentical(to: posted) ? shown : posted
  }

  /// The text that a browser posts of a control that shows a text and was not edited.
  private func unedited(_ shown: String, isItem: Bool) -> String {
    let text = withoutCarriageReturns(shown, isOneLine: isOneLine(isItem: isItem))
    // By scalars, as a browser reads it.
    var scalars = text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }[...]
    if self == .email || self == .url {
      let blanks: Set<UnicodeScalar> = [" ", "\t", "\u{C}"]
      scalars = scalars.drop { blanks.contains($0) }
      while let last = scalars.last, blanks.contains(last) { scalars.removeLast() }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Browsers send lines with CRLF.
  fileprivate func withoutCarriageReturns(_ text: String, isOneLine: Bool = false) -> String {
    if !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) { return text }
    let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    return isOneLine ? lines.replacing("\n", with: "") : lines
  }

  /// Whether its control has one line; the items of a list have no choices.
  private func isOneLine(isItem: Bool) -> Bool {
    switch self {
    case .multiline: false
    case .choice: isItem
    default: true
    }
  }
}
