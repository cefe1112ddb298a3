#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay

  struct ServeCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serves pages that show the runs of a journal and change them.",
      discussion: """
        They are served at the loopback address, also while other processes work on the journal, \
        until the command is interrupted. The address that is printed has a token.
        """)

    @Option(help: "The file of the journal.")
    var journal: String

    @Option(help: "The port to serve on; 0 takes a free one.")
    var port: UInt16 = 8471

    @Flag(help: "Refuse every change.")
    var readOnly = false

    func run(in environment: CommandEnvironment) async throws {
      guard let serve = environment.serve else { throw CommandError.noInspector }
      try await serve(
        ServeRequest(
          journal: try environment.open(journal, readOnly ? .reading : .writing),
          name: String(journal.split(separator: "/").last ?? "journal").inOneLine, port: port,
          isReadOnly: readOnly,
          onListening: { address in
            // Without an output nobody learns the token; the pages are of no use then.
            do {
              try environment.write("Serving \(journal.inOneLine) at \(address)\n")
            } catch {
              environment.complain("fieldstone: \(error)")
            }
          }))
    }
  }
#endif
