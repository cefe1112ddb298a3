/// A page of which nothing changes: it only wants to know that we are there.
@MainActor
final class QuietFace: LiveFace {
  func fragments() -> [Fragment] { [] }
}
