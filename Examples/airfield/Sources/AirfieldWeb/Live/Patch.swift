/// A change of a page that is shown, for the script to make.
struct Patch: Sendable, Equatable, Encodable {
  /// What is done.
  enum Operation: String, Encodable {
    /// Says who the visitor is; the text is the identifier.
    case hello
    /// Replaces what is in the element.
    case put
    /// Replaces the element itself.
    case swap
    /// Adds at the end of what is in the element.
    case append
    /// Replaces what is wrong with a control; the flag says whether something is.
    case issues
    /// Leads to another page.
    case go
  }

  /// What is done.
  var op: Operation

  /// The identifier of the element.
  var id = ""

  /// The markup or text.
  var html = ""

  /// What else there is to say.
  var flag: Bool?
}
