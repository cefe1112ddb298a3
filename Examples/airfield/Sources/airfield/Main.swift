import AirfieldCommand

@main
struct Main {
  static func main() async {
    await AirfieldTool.launch()
  }
}
