#if canImport(SwiftUI)
  import FieldstoneFields
  import Foundation
  import SwiftUI

  extension FormField {
    /// Whether it is typed into.
    var isTyped: Bool {
      switch kind {
      case .toggle, .choice: false
      case .date, .day, .time: !hasDates
      default: true
      }
    }

    /// Which of its controls gets the focus when it does: of several the first that is wrong.
    var entrance: FormFocus {
      guard kind == .list else { return .field(id) }
      let items = items
      let item = items.first { !$0.issues.isEmpty } ?? items.first
      return item.map { .item(id, $0.id) } ?? .newItem(id)
    }

    /// Its text as yes or no.
    var isOn: Bool {
      get { text == "true" }
      set { text = newValue ? "true" : "false" }
    }

    /// Whether its values are dates that can be picked.
    var hasDates: Bool {
      #if os(tvOS)
        false
      #else
        field is Field<Date>
      #endif
    }

    /// What of a date is picked.
    #if !os(tvOS)
      var dateComponents: DatePickerComponents {
        switch kind {
        case .day: .date
        case .time: .hourAndMinute
        default: [.date, .hourAndMinute]
        }
      }
    #endif

    /// Whether there is a date.
    var hasDate: Bool { (field as? Field<Date>)?.value != nil }

    /// Its value as a date; of no meaning where there is none.
    var date: Date {
      get { (field as? Field<Date>)?.value ?? .distantPast }
      set { (field as? Field<Date>)?.set(newValue, origin: .user) }
    }

    func removeDate() { (field as? Field<Date>)?.set(nil, origin: .user) }

    /// The text of an item; nothing where it is not there any more.
    subscript(textOf item: FieldItemID) -> String {
      get { items.first { $0.id == item }?.text ?? "" }
      set { setText(newValue, of: item) }
    }

    /// Whether nothing is a choice: it can be chosen, or is what there is.
    var offersNothing: Bool { !isRequired || text.isEmpty }

    /// What there is, where it is none of the options.
    var unknownChoice: String? {
      text.isEmpty || kind.options.contains { $0.text == text } ? nil : text
    }

    /// What assistive technology says after the name of its control: what is wrong, or that it is
    /// required.
    func hint(in messages: FieldMessages) -> String {
      if issues.isEmpty {
        return isRequired && text.isEmpty ? messages.text(for: FieldIssue(code: "required")) : ""
      }
      return issues.map { messages.sentence(for: $0, name: label) }.joined(separator: "; ")
    }
  }
#endif
