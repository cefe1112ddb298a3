import Foundation

#if CommandLineTool
  import FieldstoneCommandLine

  @main
  struct Main {
    static func main() async { await FieldstoneCommand.main() }
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
