public import Fieldstone

/// What a screen is made of, for whoever looks at the screens from outside, such as an inspector.
@MainActor
public enum ScreenPart {
  /// Which view a screen shows.
  case screen(ScreenModel)
  /// The airports of a search.
  case list(DirectoryScreen.AirportList)
  /// What is edited.
  case form(FormModel)
}
