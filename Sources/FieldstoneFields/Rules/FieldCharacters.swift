public import Foundation

/// The characters that a text may be made of.
public struct FieldCharacters: Sendable {
  private let test: @Sendable (Character) -> Bool

  /// Makes a set from a test.
  public init(_ test: @escaping @Sendable (Character) -> Bool) {
    self.test = test
  }

  /// Whether the set contains a character.
  public func contains(_ character: Character) -> Bool { test(character) }

  /// Whether a text consists of these characters only; true for an empty text.
  ///
  /// O(n).
  public func containsAll(of text: String) -> Bool { text.allSatisfy(test) }

  /// Whether a text contains one of these characters. (Seed: Mold's `hasCharactersFromSet`.)
  ///
  /// O(n).
  public func containsAny(of text: String) -> Bool { text.contains(where: test) }

  /// All characters but these.
  public var inverted: FieldCharacters { FieldCharacters { [test] in !test($0) } }

  /// The characters of both sets.
  public func union(_ other: FieldCharacters) -> FieldCharacters {
    FieldCharacters { [test] in test($0) || other.contains($0) }
  }

  /// Returns a text without the characters outside of this set.
  public func filter(_ text: String) -> String { text.filter(test) }

  /// Makes a set of the characters whose scalars are all in a `CharacterSet`.
  public init(_ scalars: CharacterSet) {
    self.init { $0.unicodeScalars.allSatisfy(scalars.contains) }
  }

  /// Every character.
  public static let all = FieldCharacters { _ in true }

  /// Every character but white space.
  public static let withoutSpaces = FieldCharacters { !$0.isWhitespace }

  /// Every character but those that control a device, line breaks and tabs among them.
  public static let withoutControls = FieldCharacters {
    !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// The letters of all scripts.
  public static let letters = FieldCharacters(\.isLetter)

  /// The digits 0 to 9.
  public static let digits = FieldCharacters { $0.isASCII && $0.isNumber }

  /// The characters of ASCII.
  public static let ascii = FieldCharacters(\.isASCII)

  /// The characters of a whole number.
  public static let integer = FieldCharacters { $0.isASCII && $0.isNumber || "-+".contains($0) }

  /// The characters of a number.
  public static let decimal = FieldCharacters {
    $0.isASCII && $0.isNumber || "-+.,eE".contains($0)
  }

  /// The characters of a telephone number.
  public static let phone = FieldCharacters {
    $0.isASCII && $0.isNumber || "+-*#() ./".contains($0)
  }

  /// The characters of a text.
  public static func any(of characters: String) -> FieldCharacters {
    let set = Set(characters)
    return FieldCharacters { set.contains($0) }
  }
}
