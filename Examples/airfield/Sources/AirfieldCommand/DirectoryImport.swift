import AirfieldDirectory
import Fieldstone

/// An import as a person sees it: its progress, its result, and how it ended if it was stopped.
struct DirectoryImport: Sendable {
  let directory: AirportDirectory
  let console: Console

  /// Imports a file, and prints what became of its rows.
  func run(_ file: String, name: String? = nil) async throws {
    let display = ProgressDisplay(console: console)
    do {
      let importer = AirportImporter(directory: directory) {
        display.show($0)
      } onWait: {
        display.show(wait: $0)
      }
      let summary = try await importer.run(file, name: name)
      display.finish()
      console.print(summary.counts.sentence + ".")
      tellOfRejects(summary.counts)
    } catch is CancellationError {
      display.finish()
      throw ImportInterrupted(counts: display.counts)
    } catch {
      display.finish()
      throw error
    }
  }

  private func tellOfRejects(_ counts: ImportCounts) {
    guard counts.rejected > 0 else { return }
    console.print("The rejected rows are listed in \(RejectsFile(database: directory.path).path).")
  }
}

extension ImportCounts {
  /// The counts as a sentence without its full stop.
  var sentence: String {
    "\(read) rows read, \(stored) stored, \(updated) updated, \(unchanged) unchanged, "
      + "\(rejected) rejected"
  }
}
