#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  /// A run as text to paste elsewhere, escaped for where it goes.
  struct CopyText {
    let run: RunRecord
    /// The address of the run's stage as JSON, with the host that the browser asked.
    let stageAddress: String

    /// The stage as it is in the journal.
    var json: String { String(decoding: run.payload, as: UTF8.self) }

    /// Writes the stage as a sample of `StageFixtures`, in a shell; nil for a name that is no file's.
    var fixture: String? {
      let name = StageText.name(of: run.payload)
      guard Self.isFileName(run.flow), Self.isFileName(name) else { return nil }
      let folder = "Fixtures/\(run.flow)/\(run.version)"
      return "mkdir -p \(Self.shell(folder)) && printf %s \(Self.shell(json)) "
        + "> \(Self.shell("\(folder)/\(name).json"))"
    }

    /// Shows the run with the command, in a shell.
    var command: String { "fieldstone runs show --journal \"$JOURNAL\" \(run.id)" }

    /// Reads the stage from these pages, in a shell.
    var curl: String {
      "curl --fail --cookie \"$FIELDSTONE_COOKIE\" \(Self.shell(stageAddress))"
    }

    /// A text as one word of a POSIX shell.
    ///
    /// Within single quotes a shell reads nothing but the quote that ends them.
    static func shell(_ text: String) -> String {
      "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private static func isFileName(_ name: String) -> Bool {
      !name.isEmpty && name.count <= 64 && !name.hasPrefix(".") && !name.hasPrefix("-")
        && name.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)
        }
    }
  }
#endif
