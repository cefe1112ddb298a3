extension FieldMessages {
  /// The texts of this package's issues in English.
  public static let english = FieldMessages(
    language: "en",
    phrases: [
      "ambiguousNumber": "can mean {fraction} or {thousands}; type the one that is meant",
      "announcement": .counted(
        by: "count", one: "One field needs attention: {sentences}.",
        other: "{count} fields need attention: {sentences}."),
      "blank": "must not be blank",
      "couldNotValidate": "could not be validated",
      "email": "must be an email address, such as name@example.org",
      "invalid": "is not valid",
      "malformed": "must be: {expected}",
      "noTransformer": "can't be read or written",
      "missingCharacter": "lacks a character that it needs",
      "notADate": "must be a date, such as {example}",
      "notANumber": "must be a number, such as {example}",
      "notATime": "must be a time, such as {example}",
      "notAllowed": "must be one of: {allowed}",
      "notEqual": "must be the same as {other}",
      "notGreater": "must be greater than {limit}",
      "notLess": "must be less than {limit}",
      "notRepresentable": "can't be written as {expected}",
      "notTyped": "has a control of its own and can't be typed",
      "notWhole": "must be a whole number, such as {example}",
      "or": "or",
      "pattern": "does not have the right form",
      "required": "is required",
      "tooFew": .counted(
        by: "minimum", one: "must have at least {minimum} item",
        other: "must have at least {minimum} items"),
      "tooLarge": "must be at most {maximum}",
      "tooLong": .counted(
        by: "maximum", one: "must have at most {maximum} character",
        other: "must have at most {maximum} characters"),
      "tooMany": .counted(
        by: "maximum", one: "must have at most {maximum} item",
        other: "must have at most {maximum} items"),
      "tooManyScalars": "has too many accents or other marks on its characters",
      "tooShort": .counted(
        by: "minimum", one: "must have at least {minimum} character",
        other: "must have at least {minimum} characters"),
      "tooSmall": "must be at least {minimum}",
      "unknownValue": "must not be {value}, which is unknown",
      "url": "must be a web address, such as {example}",
      "wrongCharacter": "must not contain {character}",
      "wrongCount": .counted(
        by: "count", one: "must have exactly {count} item",
        other: "must have exactly {count} items"),
      "wrongLength": .counted(
        by: "length", one: "must have exactly {length} character",
        other: "must have exactly {length} characters"),
    ])
}

extension FieldMessages {
  /// The texts of this package's issues in German.
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
