#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import Foundation

  struct ShowCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Shows a run with its stages, times, attempts and errors.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    @Option(help: "Draw its path, too: writes NAME.svg and NAME.mmd (Mermaid).")
    var graph: String?

    func run(in environment: CommandEnvironment) async throws {
      let id = try RunID.typed(argument.run)
      let journal = try environment.open(options.journal, .reading)
      guard let run = try await journal.run(id) else { throw JournalError.noRun(id) }
      let steps = try await Self.steps(behind: run, in: journal)
      if let graph {
        let picture = RunGraph(run, steps: steps)
        for (text, path) in [(picture.svg, graph + ".svg"), (picture.mermaid, graph + ".mmd")] {
          do {
            try environment.save(text, path)
          } catch {
            throw CommandError.notSaved(path: path, reason: error.localizedDescription)
          }
        }
      }
      if options.json {
        environment.write(JSONText(run, steps: steps).text)
      } else {
        environment.write(RunTable.text(of: run, steps: steps))
      }
    }

    /// The steps behind a run as it stood: what a worker adds meanwhile is not followed, for it may
    /// add more than can be read.
    private static func steps(
      behind run: RunRecord, in journal: any Journal
    ) async throws -> [StepRecord] {
      var steps: [StepRecord] = []
      var after: Int?
      repeat {
        let page = try await journal.steps(of: run.id, after: after, limit: 1_000)
        steps += page.steps
        after = page.next
      } while after.map { $0 < run.sequence - 1 } ?? false
      return steps.filter { $0.sequence < run.sequence }
    }
  }
#endif
