/// A screen that shows what it was told, and loads nothing.
final class FixedSource: ScreenSource {
  let knowledge: ScreenKnowledge

  init(_ knowledge: ScreenKnowledge) {
    self.knowledge = knowledge
  }

  func load() {}
  func cancel() {}
}

extension ScreenModel {
  /// Makes a screen that shows one state for ever, for previews and pictures of its views.
  ///
  /// ```swift
  /// #Preview { PeopleView(ScreenModel(showing: ScreenKnowledge(isLoading: true))) }
  /// ```
  ///
  /// - Parameter knowledge: what is known of its content.
  public convenience init(showing knowledge: ScreenKnowledge) {
    self.init(source: FixedSource(knowledge))
  }
}
