// snippet: letters-main
import FieldstoneDurable
import FieldstoneSQLite

let journal = try SQLiteJournal(path: "letters.sqlite")
let flow = DurableFlow(Newsletter.self, name: "newsletter")
let runner = try DurableRunner(journal: journal, flows: [flow])
let work = Task { do { try await runner.run() } catch { print(error) } }

let run = try await runner.start(Newsletter.collect(issue: 7), key: "issue-7")
print("\(try await run.value) letters")
await runner.shutdown()
// end
