import FieldstoneCore
import Foundation

/// What the views of screens and forms say by themselves, in one language.
///
/// ```swift
/// var texts = ScreenTexts.english
/// texts.noResults = "Nobody by that name."
/// ScreenTexts.current = texts
/// ```
///
/// All adapters take their words from here: those for UIKit and SwiftUI, and web pages. A text with
/// `{name}` in it gets the name of a field or an item there. They are part of the code, so that no
/// system needs a folder of resources for them.
public struct ScreenTexts: Sendable, Hashable {
  /// The language, as in "en" or "de".
  public var language: String

  /// The title of the initial view.
  public var initial: String
  /// The message under it; empty for none.
  public var initialMessage = ""
  /// What the button says that loads.
  public var load: String
  /// What is said while the first values are on their way.
  public var loading: String
  /// The title of the view without results.
  public var noResults: String
  /// The message under it; empty for none.
  public var noResultsMessage = ""
  /// What stands before an error.
  public var failure: String
  /// What the buttons say that try again.
  public var tryAgain: String
  /// What lies over the values while they are refreshed.
  public var refreshing: String
  /// What the button of a form says.
  public var submit: String
  /// What it says while the form is being submitted.
  public var submitting: String
  /// What assistive technology says of a field that has to be filled in.
  public var required: String
  /// What stands for no choice.
  public var noChoice: String
  /// What the button says that adds an item.
  public var add: String
  /// The same with the name of the field, for assistive technology.
  public var addTo: String
  /// What assistive technology calls the line for another item.
  public var newItem: String
  /// What the button says that removes an item.
  public var remove: String
  /// The same with the name of the item, for assistive technology.
  public var removeItem: String
  /// What the button says that sets a date where there is none.
  public var setDate: String
  /// What the button says that removes a date.
  public var clear: String
  /// The same with the name of the field, for assistive technology.
  public var clearField: String
  /// What the button above a keyboard says that goes to the next field.
  public var next: String
  /// What the button above a keyboard says that puts it away.
  public var done: String
  /// What the button of a dialog says.
  public var ok: String
  /// What the button of a dialog says that does nothing.
  public var cancel: String

  /// The words in English.
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

  /// The words in German.
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
  /// The words of the process: until an app sets others, those of the language that the system has
  /// chosen for it; on Linux, English.
  ///
  /// Views that are there already keep what they say until they are made again.
  public static var current: ScreenTexts {
    get { chosen.withLock { $0 } ?? system }
    set { chosen.withLock { $0 = newValue } }
  }

  /// The words in the first of some languages that there are words in; English where there is none.
  ///
  /// - Parameter languages: languages such as "de" or "de-CH", the best one first.
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

  /// A text with a name in the place that it has for one.
  package static func put(_ name: String, into text: String) -> String {
    text.replacing("{name}", with: name)
  }
}
