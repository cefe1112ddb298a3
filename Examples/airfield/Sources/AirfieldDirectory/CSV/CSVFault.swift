/// What can be wrong with one record while the file around it stays readable.
public enum CSVFault: Sendable, Equatable, Codable {
  /// A quote stands inside a value that does not begin with one.
  case strayQuote

  /// Something other than a comma or a line break follows a closing quote.
  case textAfterQuote

  /// The file ends inside the quotes that were opened on this line.
  case unclosedQuote(line: Int)

  /// The record is longer than the reader's limit of bytes.
  case tooLong(limit: Int)

  /// The fault as a phrase, in the words of the rejects file.
  public var message: String {
    switch self {
    case .strayQuote: "a quote inside a value that is not quoted"
    case .textAfterQuote: "text after a closing quote"
    case .unclosedQuote(let line): "a quote opened on line \(line) that never closes"
    case .tooLong(let limit): "longer than \(limit) bytes"
    }
  }
}
