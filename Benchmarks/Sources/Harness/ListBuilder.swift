/// Collects the elements that a block lists.
@resultBuilder
public enum ListBuilder<Element> {
  /// Takes one element.
  public static func buildExpression(_ element: Element) -> [Element] { [element] }

  /// Takes several elements that were made elsewhere.
  public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

  /// Joins what the statements of a block gave.
  public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap { $0 } }

  /// Joins what the turns of a loop gave.
  public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap { $0 } }

  /// Takes what a condition without `else` gave.
  public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }

  /// Takes what the first branch gave.
  public static func buildEither(first part: [Element]) -> [Element] { part }

  /// Takes what the second branch gave.
  public static func buildEither(second part: [Element]) -> [Element] { part }
}
