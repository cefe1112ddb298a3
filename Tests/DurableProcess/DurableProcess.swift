@main
struct DurableProcess {
  static func main() async {}
}
