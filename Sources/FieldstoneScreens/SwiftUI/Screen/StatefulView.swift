#if canImport(SwiftUI)
  public import SwiftUI

  /// A screen in SwiftUI: five views, of which it shows the one that belongs to its state.
  /// (Seed: Mold's stateful view controllers.)
  ///
  /// ```swift
  /// StatefulView(screen) {
  ///   List(users.phase.value ?? [], id: \.self) { Text($0) }
  /// } noResults: { again in
  ///   ScreenNotice("Nobody by that name.", systemImage: "person.slash", action: again)
  /// }
  /// ```
  ///
  /// The first appearance loads, unless the screen was made with `loadsOnAppear: false`. While newer values are on their way, and when they could not be
  /// loaded, the primary view stays as it is, with a bar above it. A list in it can be pulled down to
  /// refresh it. All views but the primary one
  /// have defaults, whose words are keys: an app's own string catalogue translates them. An error is
  /// announced to assistive technology, and another view is made known to it.
  public struct StatefulView<
    Initial: View, Loading: View, Primary: View, NoResults: View, Retry: View, Overlay: View
  >: View {
    private let screen: ScreenModel
    private let primary: () -> Primary
    private let initial: (@escaping @MainActor () -> Void) -> Initial
    private let loading: () -> Loading
    private let noResults: (@escaping @MainActor () -> Void) -> NoResults
    private let retry: (any Error, @escaping @MainActor () -> Void) -> Retry
    private let overlay: (ScreenOverlay, @escaping @MainActor () -> Void) -> Overlay

    /// Makes a screen.
    ///
    /// - Parameters:
    ///   - screen: what it shows; keep it where the view is made, as in a `State`.
    ///   - primary: the values; it reads them where the screen's model has them from.
    ///   - initial: what is there before anything was asked for; the closure that it gets loads.
    ///   - loading: that the first values are on their way.
    ///   - noResults: that there are none; the closure that it gets loads again.
    ///   - retry: the error that it gets, and with the closure a way to try again.
    ///   - overlay: what lies over the values: nothing, that newer ones are on their way, or why
    ///     they could not be loaded; the closure tries again.
    public init(
      _ screen: ScreenModel,
      @ViewBuilder primary: @escaping () -> Primary,
      @ViewBuilder initial:
        @escaping (_ load: @escaping @MainActor () -> Void) -> Initial = { load in
          ScreenNotice(
            title: ScreenTexts.current.initial, systemImage: "tray",
            message: ScreenTexts.current.initialMessage, button: ScreenTexts.current.load,
            action: load)
        },
      @ViewBuilder loading: @escaping () -> Loading = { ScreenProgress() },
      @ViewBuilder noResults:
        @escaping (_ again: @escaping @MainActor () -> Void) -> NoResults = { again in
          ScreenNotice(
            title: ScreenTexts.current.noResults, systemImage: "magnifyingglass",
            message: ScreenTexts.current.noResultsMessage, button: ScreenTexts.current.tryAgain,
            action: again)
        },
      @ViewBuilder retry:
        @escaping (_ error: any Error, _ again: @escaping @MainActor () -> Void) -> Retry = {
          error, again in
          ScreenNotice(error: error, action: again)
        },
      @ViewBuilder overlay:
        @escaping (_ overlay: ScreenOverlay, _ again: @escaping @MainActor () -> Void) -> Overlay =
        {
          overlay, again in
          ScreenOverlayBar(overlay, action: again)
        }
    ) {
      self.screen = screen
      self.primary = primary
      self.initial = initial
      self.loading = loading
      self.noResults = noResults
      self.retry = retry
      self.overlay = overlay
    }

    /// The view that belongs to the state.
    public var body: some View {
      // A container that stays, also where one of the views is empty.
      ZStack {
        content
      }
      .onAppear { screen.appear() }
      .onChange(of: ScreenNews(screen.state)) { old, new in new.tell(after: old) }
    }

    @ViewBuilder private var content: some View {
      switch screen.state {
      case .initial: initial { screen.retry() }
      // As large as what comes, so that nothing jumps.
      case .blank: loading().hidden().accessibilityHidden(true)
      case .loading: loading()
      case .noResults: noResults { screen.retry() }
      case .retry(let error): retry(error) { screen.retry() }
      case .primary(let state):
        primary()
          .refreshable { [screen] in await screen.refreshAndWait() }
          .safeAreaInset(edge: .top, spacing: 0) {
            overlay(state) { screen.retry() }
          }
      }
    }
  }
#endif
