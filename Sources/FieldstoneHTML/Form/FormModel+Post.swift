public import FieldstoneFields

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
