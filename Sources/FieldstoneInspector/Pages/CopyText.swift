#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  /// A run as text for pasting elsewhere, escaped for its destination.
  struct CopyText {
    let run: RunRecord
    /// The address of the run's stage as JSON, with the host of the browser's request.
    let stageAddress: String
    /// The names of the members whose values are dots.
    let redaction: RedactionRule

    /// Whether members of the stage are redacted.
    var isRedacted: Bool { !RedactedJSON(run.payload, redaction).hidden.isEmpty }

    /// The stage exactly as in the journal, with dots for redacted members.
    var json: String { String(decoding: redaction.redacted(run.payload), as: UTF8.self) }

    /// The shell command that writes the stage as a sample of `StageFixtures`; nil if the name is
    /// not a file name.
    var fixture: String? {
      let name = redaction.name(of: run.payload)
      guard Self.isFileName(run.flow), Self.isFileName(name) else { return nil }
      let folder = "Fixtures/\(run.flow)/\(run.version)"
      return "mkdir -p \(Self.shell(folder)) && printf %s \(Self.shell(json)) "
        + "> \(Self.shell("\(folder)/\(name).json"))"
    }

    /// The shell command that shows the run.
    var command: String { "fieldstone runs show --journal \"$JOURNAL\" \(run.id)" }

    /// The shell command that reads the stage from these pages.
    var curl: String {
      "curl --fail --cookie \"$FIELDSTONE_COOKIE\" \(Self.shell(stageAddress))"
    }

    /// A text as one word of a POSIX shell.
    ///
    /// Within single quotes a shell interprets only the closing quote.
    static func shell(_ text: String) -> String {
      "'" + text.replacingScalars { $0 == "'" ? "'\\''" : nil } + "'"
    }

    private static func isFileName(_ name: String) -> Bool {
      !name.isEmpty && name.count <= 64 && !name.hasPrefix(".") && !name.hasPrefix("-")
        && name.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)
        }
    }
  }
#endif
