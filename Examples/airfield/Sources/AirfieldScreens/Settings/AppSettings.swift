public import Fieldstone

/// What a person has set.
public struct AppSettings: Sendable, Codable, Equatable {
  /// Which colours are shown.
  public enum Theme: String, Sendable, Codable, CaseIterable, DefaultTransformable {
    case system, light, dark
  }

  /// In what heights are shown.
  public enum Units: String, Sendable, Codable, CaseIterable, DefaultTransformable {
    case feet, metres
  }

  /// The numbers of airports that a page may have.
  public static let pageSizes = [25, 50, 100]

  /// Which colours are shown.
  public var theme = Theme.system

  /// How many airports a page has.
  public var pageSize = 50

  /// In what heights are shown.
  public var units = Units.feet

  /// Makes the settings that hold until somebody has set others.
  public init() {}
}
