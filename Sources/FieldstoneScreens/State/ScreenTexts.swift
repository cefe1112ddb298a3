import FieldstoneCore
import Foundation

/// The built-in texts of screens, forms and dialogs, in one language.
///
/// ```swift
/// var texts = ScreenTexts.english
/// texts.noResults = "No person has that name."
/// ScreenTexts.current = texts
/// ```
///
/// The adapters for UIKit and SwiftUI and the web pages use them. A text may have the placeholder
/// `{name}`, for the name of a field or an item. The texts are part of the code, so that programs
/// need no folder of resources.
public struct ScreenTexts: Sendable, Hashable {
  /// The language code, such as "en" or "de".
  package let language: String

  /// The title of the initial view.
  public var initial: String
  /// The message of the initial view; empty for none.
  public var initialMessage = ""
  /// The button of the initial view, which loads.
  public var load: String
  /// The text of the loading view.
  public var loading: String
  /// The title of the view without results.
  public var noResults: String
  /// The message of the view without results; empty for none.
  public var noResultsMessage = ""
  /// The title of an error.
  public var failure: String
  /// The button that tries again.
  public var tryAgain: String
  /// The overlay during a refresh.
  public var refreshing: String
  /// The submit button of a form.
  public var submit: String
  /// The submit button while the form is being submitted.
  public var submitting: String
  /// The mark of a required field, for assistive technology.
  public var required: String
  /// The option of a choice without a value.
  public var noChoice: String
  /// The button that adds an item.
  public var add: String
  /// The button that adds an item, with the field's `{name}`, for assistive technology.
  public var addTo: String
  /// The line for a new item, with the field's `{name}`, for assistive technology.
  public var newItem: String
  /// The button that removes an item.
  public var remove: String
  /// The button that removes an item, with the item's `{name}`, for assistive technology.
  public var removeItem: String
  /// The button that sets a missing date.
  public var setDate: String
  /// The button that removes a date.
  public var clear: String
  /// The button that removes a date, with the field's `{name}`, for assistive technology.
  public var clearField: String
  /// The button above a keyboard that moves to the next field.
  public var next: String
  /// The button above a keyboard that dismisses it.
  public var done: String
  /// The default button of a dialog.
  public var ok: String
  /// The cancel button of a dialog.
  public var cancel: String

  /// The English texts.
  public static let english = ScreenTexts(
    language: "en",
    initial: "Nothing here yet.",
    load: "Load",
    loading: "Loading…",
    noResults: "No results.",
    failure: "That did not work.",
    tryAgain: "Try again",
    refreshing: "Refreshing…",
    submit: "Save",
    submitting: "Saving…",
    required: "required",
    noChoice: "None",
    add: "Add",
    addTo: "Add to {name}",
    newItem: "New item of {name}",
    remove: "Remove",
    removeItem: "Remove {name}",
    setDate: "Set date",
    clear: "Clear",
    clearField: "Clear {name}",
    next: "Next",
    done: "Done",
    ok: "OK",
    cancel: "Cancel")

  /// The German texts.
  public static let german = ScreenTexts(
    language: "de",
    initial: "Hier ist noch nichts.",
    load: "Laden",
    loading: "Wird geladen …",
    noResults: "Keine Ergebnisse.",
    failure: "Das hat nicht geklappt.",
    tryAgain: "Noch einmal versuchen",
    refreshing: "Wird aktualisiert …",
    submit: "Sichern",
    submitting: "Wird gesichert …",
    required: "erforderlich",
    noChoice: "Keine Angabe",
    add: "Hinzufügen",
    addTo: "Zu {name} hinzufügen",
    newItem: "Neuer Eintrag: {name}",
    remove: "Entfernen",
    removeItem: "{name} entfernen",
    setDate: "Datum wählen",
    clear: "Löschen",
    clearField: "{name} löschen",
    next: "Weiter",
    done: "Fertig",
    ok: "OK",
    cancel: "Abbrechen")
}

extension ScreenTexts {
  /// The texts of the process; by default those of the app's language, and English on Linux.
  ///
  /// Existing views keep their texts until they are made again.
  public static var current: ScreenTexts {
    get { chosen.withLock { $0 } ?? system }
    set { _ = chosen.exchange(newValue) }
  }

  /// The texts of the first supported language; English where none is supported.
  ///
  /// - Parameter languages: language codes such as "de" or "de-CH", the best first.
  public static func matching(_ languages: [String]) -> ScreenTexts {
    let known = [english, german]
    for language in languages {
      let code = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
      if let texts = known.first(where: { $0.language == code }) { return texts }
    }
    return english
  }

  private static let chosen = Locked<ScreenTexts?>(nil)

  private static let system: ScreenTexts = {
    #if canImport(Darwin)
      matching(Bundle.main.preferredLocalizations)
    #else
      english
    #endif
  }()

  /// An error in one line: the failure text and the error's description.
  package func sentence(for error: any Error) -> String {
    "\(failure) \(error.localizedDescription)"
  }

  /// A text with a name in place of `{name}`.
  package static func put(_ name: String, into text: String) -> String {
    text.replacing("{name}", with: name)
  }
}
