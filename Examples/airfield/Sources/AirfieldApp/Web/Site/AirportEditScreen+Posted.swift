import Fieldstone
import FieldstoneHTML

extension AirportEditScreen {
  /// Takes what was posted of the form, or of a part of it.
  ///
  /// What stands in one control for a tag may be several, with commas between them.
  func take(posted values: [(name: String, value: String)]) {
    let known = Set(base?.airport.tags ?? [])
    form.take(
      posted: values.flatMap { value -> [(name: String, value: String)] in
        guard value.name == "tags", !known.contains(value.value) else { return [value] }
        // Without any it says that there are none.
        let tags = value.value.split(separator: ",").map { String($0).trimmed }
        return (tags.isEmpty ? [""] : tags).map { (name: value.name, value: $0) }
      })
  }

  /// Takes what was posted of one field alone, as if it had been typed there.
  func take(_ field: FormField, posted: [(name: String, value: String)]) {
    field.focus()
    if field.kind == .list || field.kind == .toggle {
      // Other check boxes are not posted, and are not off because of that.
      let others = form.fields.filter { $0 !== field && $0.kind == .toggle && $0.text == "true" }
      take(posted: posted + others.map { (name: $0.key, value: "true") })
    } else {
      field.text = posted.last?.value ?? ""
    }
    field.blur()
  }
}
