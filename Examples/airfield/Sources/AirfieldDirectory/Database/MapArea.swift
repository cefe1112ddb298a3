/// A part of the world between two parallels and two meridians, in degrees.
public struct MapArea: Sendable, Hashable {
  /// All of it.
  public static let world = MapArea(
    latitudes: AirportRules.latitudes, longitudes: AirportRules.longitudes)

  /// From south to north.
  public let latitudes: ClosedRange<Double>

  /// From west to east.
  public let longitudes: ClosedRange<Double>

  /// Makes an area.
  public init(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) {
    self.latitudes = latitudes
    self.longitudes = longitudes
  }

  /// The width and height of the squares of which there are about so many in it.
  func side(ofSquares count: Int) -> Double {
    let (height, width) = (
      latitudes.upperBound - latitudes.lowerBound, longitudes.upperBound - longitudes.lowerBound
    )
    return max(0.001, (height * width / Double(count)).squareRoot())
  }
}
