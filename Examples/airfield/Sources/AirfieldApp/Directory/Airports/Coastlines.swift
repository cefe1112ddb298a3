import Foundation

enum Coastlines {
  /// The file as it is; empty where it is missing.
  ///
  /// It has a line each, in twentieths of a degree east and north, first of a place and then of the
  /// way to the next. Lines that begin with # are comments.
  static let bytes: [UInt8] = {
    let url = Bundle.module.url(forResource: "coastlines", withExtension: "txt")
    return url.flatMap { try? Data(contentsOf: $0) }.map { Array($0) } ?? []
  }()

  static let lines: [[(longitude: Double, latitude: Double)]] =
    String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    .filter { !$0.hasPrefix("#") }
    .map { line in
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      var (east, north) = (0, 0)
      return stride(from: 0, to: numbers.count - 1, by: 2).map { index in
        east += numbers[index]
        north += numbers[index + 1]
        return (Double(east) / 20, Double(north) / 20)
      }
    }
}
