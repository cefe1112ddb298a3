extension FieldMessages {
  /// What the issues of this package say in German.
  public static let german = FieldMessages(
    language: "de",
    phrases: [
      "ambiguousNumber": "kann {fraction} oder {thousands} bedeuten; bitte das Gemeinte eingeben",
      "announcement": .counted(
        by: "count", one: "Ein Feld braucht Aufmerksamkeit: {sentences}.",
        other: "{count} Felder brauchen Aufmerksamkeit: {sentences}."),
      "blank": "darf nicht leer sein",
      "couldNotValidate": "konnte nicht geprüft werden",
      "email": "muss eine E-Mail-Adresse sein, etwa name@example.org",
      "invalid": "ist nicht gültig",
      "malformed": "muss so sein: {expected}",
      "noTransformer": "kann nicht gelesen oder geschrieben werden",
      "missingCharacter": "fehlt ein Zeichen, das gebraucht wird",
      "notADate": "muss ein Datum sein, etwa {example}",
      "notANumber": "muss eine Zahl sein, etwa {example}",
      "notATime": "muss eine Uhrzeit sein, etwa {example}",
      "notAllowed": "muss eines von diesen sein: {allowed}",
      "notEqual": "muss gleich sein wie {other}",
      "notGreater": "muss größer sein als {limit}",
      "notLess": "muss kleiner sein als {limit}",
      "notRepresentable": "kann nicht als {expected} geschrieben werden",
      "notTyped": "hat ein eigenes Bedienelement und kann nicht eingetippt werden",
      "notWhole": "muss eine ganze Zahl sein, etwa {example}",
      "or": "oder",
      "pattern": "hat nicht die richtige Form",
      "required": "wird gebraucht",
      "tooFew": .counted(
        by: "minimum", one: "muss mindestens {minimum} Eintrag haben",
        other: "muss mindestens {minimum} Einträge haben"),
      "tooLarge": "darf höchstens {maximum} sein",
      "tooLong": "darf höchstens {maximum} Zeichen haben",
      "tooMany": .counted(
        by: "maximum", one: "darf höchstens {maximum} Eintrag haben",
        other: "darf höchstens {maximum} Einträge haben"),
      "tooManyScalars": "hat zu viele Akzente oder andere Zusätze an den Zeichen",
      "tooShort": "muss mindestens {minimum} Zeichen haben",
      "tooSmall": "muss mindestens {minimum} sein",
      "unknownValue": "darf nicht {value} sein, das kennt niemand",
      "url": "muss eine Web-Adresse sein, etwa {example}",
      "wrongCharacter": "darf {character} nicht enthalten",
      "wrongCount": .counted(
        by: "count", one: "muss genau {count} Eintrag haben",
        other: "muss genau {count} Einträge haben"),
      "wrongLength": "muss genau {length} Zeichen haben",
    ],
    decimalSeparator: ",")
}
