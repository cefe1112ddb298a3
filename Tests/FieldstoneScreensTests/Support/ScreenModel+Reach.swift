import FieldstoneScreens
import Observation

extension ScreenModel {
  /// Waits until it shows what is looked for.
  func reach(_ isReached: @MainActor (ScreenState) -> Bool) async {
    while !isReached(state) {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = state
        } onChange: {
          continuation.resume()
        }
      }
    }
  }

  /// Waits until it shows one of its views, and nothing is under way.
  func reach(_ view: ScreenView) async {
    await reach { $0.view == view && (view == .loading || !$0.isBusy) }
  }
}
