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

  /// Waits until it shows one of its views, and nothing is under way.
  func reach(_ view: ScreenView) async {
    await reach { $0.view == view && (view == .loading || !$0.isBusy) }
  }
}
