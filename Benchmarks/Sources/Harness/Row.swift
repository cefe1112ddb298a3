/// The result of one case.
public struct Row: Sendable {
  /// The group's name.
  public let group: String
  /// The case's name.
  public let name: String
  /// One figure a sample: nanoseconds an operation, or bytes an object.
  public let samples: [Double]
  /// The median of the samples.
  public let figure: Double
  /// The median of the floor's samples.
  public let floor: Double
  /// The median of the sample-by-sample quotients over the floor.
  public let ratio: Double
  /// Whether the case is the group's floor.
  public let isFloor: Bool

  /// Makes the result of a case out of its samples and its floor's.
  public init(group: String, name: String, samples: [Double], floor: [Double], isFloor: Bool) {
    self.group = group
    self.name = name
    self.samples = samples
    self.figure = Statistics.median(samples)
    self.floor = Statistics.median(floor)
    self.ratio = Statistics.medianRatio(samples, to: floor)
    self.isFloor = isFloor
  }

  /// Whether the case is somebody else's way of doing the same.
  var isPeer: Bool { !isFloor && !name.hasPrefix("fieldstone") }
}
