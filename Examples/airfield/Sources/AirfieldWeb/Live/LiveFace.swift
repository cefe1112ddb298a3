/// What a live page shows, made of view models; reads of them are tracked.
@MainActor
protocol LiveFace: AnyObject {
  /// The parts of the page as they should be now.
  func fragments() -> [Fragment]
}
