import FieldstoneScreens

extension ScreenModel {
  /// Waits until it shows what is looked for.
  func reach(_ isReached: @MainActor (ScreenState) -> Bool) async {
    await observing {
      state
    } until: {
      isReached($0)
    }
  }

  /// Waits until it shows one of its views, and nothing is under way unless that may be.
  func reach(_ view: ScreenView, whileBusy: Bool = false) async {
    await reach { $0.view == view && (whileBusy || view == .loading || !$0.isBusy) }
  }
}
