import Foundation

#if CommandLineTool
  import FieldstoneCommand

  @main
  struct Main {
    static func main() async {
      StandardOutput.closeGaps()
      exit(await JournalTool.run(Array(CommandLine.arguments.dropFirst()), in: .process))
    }
  }
#else
  @main
  struct Main {
    static func main() {
      let advice = "fieldstone: built without its trait; build it with --traits CommandLineTool.\n"
      try? FileHandle.standardError.write(contentsOf: Data(advice.utf8))
      exit(2)
    }
  }
#endif
