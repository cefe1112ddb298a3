extension FieldTransformer {
  /// An array whose elements another transformer reads and writes.
  ///
  /// One malformed element makes the whole array malformed; the issue's path holds its index. Null
  /// is no element.
  public static func array<Element>(
    of element: FieldTransformer<Element>
  ) -> FieldTransformer where Value == [Element] {
    let name = "array of \(element.name)"
    var transformer = FieldTransformer(
      name: name,
      importing: { json in
        guard case .array(let values) = json else {
          throw FieldIssue.malformed(expected: name, found: json)
        }
        return try values.enumerated().map { index, json in
          do throws(FieldIssue) {
            if let value = try element.value(of: json) { return value }
          } catch {
            throw error.inside("\(index)")
          }
          throw FieldIssue.malformed(expected: element.name, found: json).inside("\(index)")
        }
      },
      exporting: { values in
        .array(
          try values.enumerated().map { index, value in
            do throws(FieldIssue) {
              return try element.json(of: value)
            } catch {
              throw error.inside("\(index)")
            }
          })
      })
    transformer.writesText = false
    return transformer
  }
}
