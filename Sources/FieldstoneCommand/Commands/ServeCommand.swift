#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay

  struct ServeCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serves pages that show the runs of a journal and change them, or a timeline.",
      discussion: """
        They are served at the loopback address, also while other processes work on the journal, \
        until the command is interrupted. The address that is printed has a token. Another address \
        takes a password, from --password-file or from FIELDSTONE_PASSWORD; it has no TLS, so put a \
        reverse proxy before it.
        """)

    @Option(help: "The file of the journal, or postgresql://… for one on a server.")
    var journal: String?

    @Option(help: "The file of a timeline that was exported from the pages of a process.")
    var session: String?

    @Option(help: "The port to serve on; 0 takes a free one.")
    var port: UInt16 = 8471

    @Option(
      help: ArgumentHelp(
        "The address of this machine to serve on; 0.0.0.0 for all.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("A name under which browsers may ask, too.", valueName: "name"))
    var allowHost: [String] = []

    @Option(help: "The path that all pages stand under, behind a reverse proxy.")
    var path = ""

    @Option(help: ArgumentHelp("The file with the password, its only line.", valueName: "file"))
    var passwordFile: String?

    @Option(
      help: ArgumentHelp(
        "A file that each change is appended to, as a line of JSON.", valueName: "file"))
    var changes: String?

    @Option(
      help: ArgumentHelp(
        "A part of names whose values are shown as dots, besides passwords, tokens and the like.",
        valueName: "name"))
    var redact: [String] = []

    @Flag(help: "Refuse every change.")
    var readOnly = false

    func validate() throws {
      guard (journal == nil) != (session == nil) else {
        throw ValidationError("Name either a journal (--journal) or a timeline (--session).")
      }
      guard session == nil || redact.isEmpty && changes == nil else {
        throw ValidationError(
          "A timeline (--session) is shown as it was exported: leave --redact out, and hide values "
            + "where it is exported, by InspectorOptions.redactedNames; --changes is for a journal."
        )
      }
      let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
      guard numbers.count == 4, numbers.allSatisfy({ UInt8($0) != nil }) else {
        throw ValidationError("“\(host)” is no address; write four numbers, such as 192.168.1.20.")
      }
      let parts = path.lowercased().replacing("%2e", with: ".").split(separator: "/")
      guard !parts.contains("."), !parts.contains("..") else {
        throw ValidationError(
          "“\(path)” is no path of pages, as browsers remove “.” and “..”; write it without them.")
      }
    }

    func run(in environment: CommandEnvironment) async throws {
      guard let serve = environment.serve else { throw CommandError.noInspector }
      let shown = journal.map { JournalPlace($0).shown } ?? session ?? ""
      let content: ServeRequest.Content =
        if let journal {
          .journal(try await environment.open(journal, readOnly ? .reading : .writing))
        } else {
          .session(path: session ?? "")
        }
      try await serve(
        ServeRequest(
          content: content, name: String(shown.split(separator: "/").last ?? "journal").inOneLine,
          host: host, port: port, hosts: allowHost, path: path, passwordFile: passwordFile,
          changesFile: changes, isReadOnly: readOnly || journal == nil, redactedNames: redact,
          flows: environment.flows, signals: environment.signals,
          onListening: { address in
            // Only this line contains the token: without it the pages can't be opened.
            do {
              try environment.write("Serving \(shown.inOneLine) at \(address)\n")
              if address.contains(".localhost:") {
                environment.complain(
                  "If the browser does not find that name, write 127.0.0.1 in its place.")
              }
            } catch {
              // The pages are served, and no other line has the token.
              environment.complain("Serving \(shown.inOneLine) at \(address)")
            }
          }))
    }
  }
#endif
