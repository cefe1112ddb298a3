import AirfieldApp

@main
struct Main {
  static func main() async {
    await launchAirfield()
  }
}
