public import FieldstoneFields

/// Fields of a form that belong together, under a title.
public struct FormSection {
  /// The title that people read above it; empty for none.
  public let title: String

  fileprivate(set) var adapters: [FieldAdapter]

  /// The fields, in their order.
  public var fields: [AnyField] { adapters.map(\.field) }

  /// Makes a section.
  ///
  /// - Parameters:
  ///   - title: the title that people read above it; empty for none.
  ///   - fields: its fields, one a line.
  public init(_ title: String = "", @FormFieldBuilder fields: () -> FormFieldList) {
    self.title = title
    adapters = fields().adapters
  }
}

/// The fields that a builder has listed.
public struct FormFieldList {
  var adapters: [FieldAdapter] = []
}

/// Lists the fields of a section, one a line.
@resultBuilder
public enum FormFieldBuilder {
  /// A field.
  public static func buildExpression<Value>(_ field: Field<Value>) -> FormFieldList {
    FormFieldList(adapters: [ValueAdapter(field)])
  }

  /// A field of several values.
  public static func buildExpression<Element>(_ field: ArrayField<Element>) -> FormFieldList {
    FormFieldList(adapters: [ArrayAdapter(field)])
  }

  /// Fields that a builder has already listed.
  public static func buildExpression(_ list: FormFieldList) -> FormFieldList { list }

  /// Several fields.
  public static func buildBlock(_ lists: FormFieldList...) -> FormFieldList { joined(lists) }

  /// Fields of a loop.
  public static func buildArray(_ lists: [FormFieldList]) -> FormFieldList { joined(lists) }

  /// Fields that may be left out.
  public static func buildOptional(_ list: FormFieldList?) -> FormFieldList {
    list ?? FormFieldList()
  }

  /// One choice.
  public static func buildEither(first list: FormFieldList) -> FormFieldList { list }

  /// The other choice.
  public static func buildEither(second list: FormFieldList) -> FormFieldList { list }

  private static func joined(_ lists: [FormFieldList]) -> FormFieldList {
    FormFieldList(adapters: lists.flatMap(\.adapters))
  }
}

/// Lists the sections of a form, or its fields where it has no sections.
@resultBuilder
public enum FormSectionBuilder {
  /// A section.
  public static func buildExpression(_ section: FormSection) -> [FormSection] { [section] }

  /// A field that is in no section.
  public static func buildExpression<Value>(_ field: Field<Value>) -> [FormSection] {
    [FormSection { field }]
  }

  /// A field of several values that is in no section.
  public static func buildExpression<Element>(_ field: ArrayField<Element>) -> [FormSection] {
    [FormSection { field }]
  }

  /// Several sections; consecutive fields without a section share one without a title.
  public static func buildBlock(_ sections: [FormSection]...) -> [FormSection] { joined(sections) }

  /// Sections of a loop.
  public static func buildArray(_ sections: [[FormSection]]) -> [FormSection] { joined(sections) }

  /// Sections that may be left out.
  public static func buildOptional(_ sections: [FormSection]?) -> [FormSection] { sections ?? [] }

  /// One choice.
  public static func buildEither(first sections: [FormSection]) -> [FormSection] { sections }

  /// The other choice.
  public static func buildEither(second sections: [FormSection]) -> [FormSection] { sections }

  private static func joined(_ sections: [[FormSection]]) -> [FormSection] {
    var joined: [FormSection] = []
    for section in sections.joined() {
      // No reference is held while fields are added: that would copy them for each field.
      let goesOn = section.title.isEmpty && joined.last?.title.isEmpty == true
      if goesOn {
        joined[joined.count - 1].adapters += section.adapters
      } else {
        joined.append(section)
      }
    }
    return joined
  }
}
