#if canImport(SwiftUI)
  public import SwiftUI

  /// A SwiftUI view that shows one of five views for the state of its screen.
  /// (Seed: Mold's stateful view controllers.)
  ///
  /// ```swift
  /// StatefulView(screen) {
  ///   List(users.phase.value ?? [], id: \.self) { Text($0) }
  /// } noResults: { again in
  ///   ScreenNotice("No person has that name.", systemImage: "person.slash", action: again)
  /// }
  /// ```
  ///
  /// The first appearance loads, unless the screen was made with `loadsOnAppear: false`. During a
  /// refresh, and after one that failed, the primary view stays, with a bar above it. A list in it
  /// can be pulled down to refresh. All views but the primary one have defaults, with the texts of
  /// ``ScreenTexts``. Errors and changes of the view are announced to assistive technology.
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

    /// Makes a view of a screen.
    ///
    /// - Parameters:
    ///   - screen: the model of the screen; store it outside the view's body, such as in a `State`.
    ///   - primary: the content; it reads its values from the model of the data.
    ///   - initial: the view before the first load; its closure loads.
    ///   - loading: the view during the first load.
    ///   - noResults: the view for empty content; its closure loads again.
    ///   - retry: the view of an error; its closure tries again.
    ///   - overlay: the bar over the content, for each ``ScreenOverlay``; its closure tries again.
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

    /// The view of the present state.
    public var body: some View {
      // The container stays even when a view is empty.
      ZStack {
        content
      }
      .onAppear { screen.appear() }
      // Another screen at the same place appears without a call of onAppear.
      .onChange(of: ObjectIdentifier(screen)) { _, _ in screen.appear() }
      .onChange(of: ScreenNews(screen)) { old, new in new.tell(after: old) }
    }

    @ViewBuilder private var content: some View {
      switch screen.state {
      case .initial: initial { screen.retry() }
      // The hidden loading view keeps its size, so that the layout does not jump.
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
