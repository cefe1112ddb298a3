import Foundation

/// How figures are written.
enum Format {
  /// A figure with as many digits as it is good for.
  static func figure(_ value: Double) -> String {
    switch value {
    case ..<100: String(format: "%.2f", value)
    case ..<10_000: String(format: "%.1f", value)
    default: String(format: "%.0f", value)
    }
  }

  /// A ratio or a bound: two decimals.
  static func decimal(_ value: Double) -> String { String(format: "%.2f", value) }

  /// A figure for the machine: thousandths.
  static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  /// Text padded to a width, counted in characters.
  static func pad(_ text: String, to width: Int, right: Bool = false) -> String {
    let filling = String(repeating: " ", count: max(0, width - text.count))
    return right ? filling + text : text + filling
  }
}
