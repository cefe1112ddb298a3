import FieldstoneServing

extension DirectorySite {
  func nightlyPage() async -> SiteResponse {
    guard let screen = model.nightly else { return notFound }
    await screen.load()
    let view = NightlyView(screen: screen, theme: theme, notes: notes)
    return SiteResponse(
      status: screen.isBlind ? 503 : 200, page: view.html, headers: ["Cache-Control": "no-store"])
  }

  func takeNightly(_ values: FormValues) async -> SiteResponse {
    guard let screen = model.nightly else { return notFound }
    switch values["do"] {
    case "pause": await screen.pause()
    case "resume": await screen.resume()
    case "run": await screen.runNow()
    case "cancel": await screen.cancel()
    case "look": await screen.retry()
    default: return SiteResponse(status: 400, text: "There is nothing of that name to do.")
    }
    return .see(.nightly)
  }
}
