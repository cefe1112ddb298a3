#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import FieldstoneFields
  import FieldstoneForms
  import UIKit

  /// Several values: a line for each with a button that removes it, and a line for a new one.
  @MainActor
  final class ItemsControl: FieldControl {
    private struct Line {
      let id: FieldItemID
      let row: UIStackView
      let textField: UITextField
      let returnKey: ReturnKey
      let button: UIButton
    }

    private let field: FormField
    private let form: FormModel
    private let texts: ScreenTexts
    private let stack = UIStackView(.vertical, spacing: 8, [])
    private let newItem: UITextField
    private let newItemReturn: ReturnKey
    private var lines: [Line] = []
    private var bar: UIView?
    private var beginning: Int

    var view: UIView { stack }
    /// The line to edit first: that of the first item with an issue.
    var element: UIView {
      let wrong = field.items.first { !$0.issues.isEmpty }?.id
      return (lines.first { $0.id == wrong } ?? lines.first)?.textField ?? newItem
    }
    var takesText: Bool { true }

    init(_ field: FormField, of form: FormModel, texts: ScreenTexts) {
      self.field = field
      self.form = form
      self.texts = texts
      beginning = form.beginningCount
      newItem = UITextField(field, isSecure: field.itemKind.isSecure)
      newItem.placeholder = texts.add
      newItem.returnKeyType = .next
      newItem.on(.editingDidBegin) { _ in field.focus() }
      newItem.on(.editingChanged) { textField in
        textField.drop(butForItemsOf: field)
        field.typeNewItem(textField.text ?? "")
      }
      newItem.on(.editingDidEnd) { textField in
        Self.add(textField, to: field)
        if field.isFocused { field.blur() }
      }
      // The keyboard stays for the next item.
      newItemReturn = ReturnKey { Self.add($0, to: field) }
      newItem.delegate = newItemReturn
      stack.addArrangedSubview(newItem)
    }

    func put(_ bar: UIView) {
      self.bar = bar
      newItem.put(bar)
    }

    /// Adds the typed text as an item; a text that can't be read stays, with an issue at the field.
    ///
    /// - Returns: false if it can't be read.
    @discardableResult
    private static func add(_ textField: UITextField, to field: FormField) -> Bool {
      guard let text = textField.text, !text.isEmpty else {
        field.typeNewItem("")
        return true
      }
      guard field.appendItem(text) != nil else { return false }
      textField.text = ""
      return true
    }

    func addTypedText() -> UIView? { Self.add(newItem, to: field) ? nil : newItem }

    func show(_ field: FormField, _ description: FieldDescription) {
      if beginning != form.beginningCount {
        beginning = form.beginningCount
        // It belongs to what was edited before.
        newItem.text = ""
      }
      let items = field.items
      if items.map(\.id) != lines.map(\.id) { arrange(items) }
      for (index, (item, line)) in zip(items, lines).enumerated() {
        let textField = line.textField
        if textField.markedTextRange == nil, textField.text ?? "" != item.text {
          textField.text = item.text
        }
        let name = "\(field.label) \(index + 1)"
        let messages = item.issues.map { form.messages.sentence(for: $0, name: name) }
        textField.describe(
          FieldDescription(label: name, hint: messages.joined(separator: ". ")))
        line.button.accessibilityLabel = ScreenTexts.put(name, into: texts.removeItem)
      }
      newItem.describe(
        FieldDescription(
          label: ScreenTexts.put(description.label, into: texts.newItem), hint: description.hint))
    }

    /// Makes one line for each item, in their order; moved lines keep their focus.
    private func arrange(_ items: [FormItem]) {
      let old = Dictionary(lines.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      let kept = Set(items.map(\.id))
      for line in lines where !kept.contains(line.id) { line.row.removeFromSuperview() }
      lines = items.map { old[$0.id] ?? makeLine(for: $0.id) }
      for (index, line) in lines.enumerated() {
        stack.insertArrangedSubview(line.row, at: index)
      }
    }

    private func makeLine(for id: FieldItemID) -> Line {
      let field = field
      let textField = UITextField(field, isSecure: field.itemKind.isSecure)
      textField.returnKeyType = .next
      textField.put(bar)
      textField.on(.editingDidBegin) { _ in field.focus() }
      textField.on(.editingChanged) { textField in
        textField.drop(butForItemsOf: field)
        field.setText(textField.text ?? "", of: id)
      }
      textField.on(.editingDidEnd) { _ in
        field.touch(id)
        if field.isFocused { field.blur() }
      }
      let returnKey = ReturnKey { [weak self] _ in self?.goOn(after: id) }
      textField.delegate = returnKey
      var configuration = UIButton.Configuration.plain()
      configuration.title = texts.remove
      let button = UIButton(
        configuration: configuration,
        primaryAction: UIAction(title: texts.remove) { _ in field.removeItem(id) })
      button.setContentHuggingPriority(.required, for: .horizontal)
      return Line(
        id: id, row: UIStackView(.horizontal, spacing: 8, [textField, button]),
        textField: textField, returnKey: returnKey, button: button)
    }

    private func goOn(after id: FieldItemID) {
      let index = lines.firstIndex { $0.id == id }.map { $0 + 1 } ?? lines.count
      let next = lines.indices.contains(index) ? lines[index].textField : newItem
      next.becomeFirstResponder()
    }
  }

  extension UITextField {
    /// Drops the characters that an item of a field may not have.
    fileprivate func drop(butForItemsOf field: FormField) {
      drop(butFor: field.allowedCharacters)
      drop(butFor: field.itemKind.allowedCharacters)
    }
  }
#endif
