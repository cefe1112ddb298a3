extension FieldMessages {
  /// What the issues of this package say in English.
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
      "unknownValue": "must not be {value}, which nobody knows",
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
