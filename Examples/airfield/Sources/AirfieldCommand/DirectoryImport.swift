import AirfieldDirectory
import Fieldstone

/// An import as a person sees it: its progress, its result, and how it ended if it was stopped.
struct DirectoryImport: Sendable {
  let directory: AirportDirectory
  let console: Console

  /// Imports a file, and prints what became of its rows.
  func run(_ file: String) async throws {
    let display = ProgressDisplay(console: console)
    let services = ImportServices(directory: directory) { display.show($0) }
    do {
      let summary = try await ImportStage.open(path: file).execute(in: services)
      display.finish()
      console.print(summary.counts.sentence + ".")
      tellOfRejects(summary.counts)
    } catch is CancellationError {
      display.finish()
      tellOfRejects(display.counts)
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
