import AirfieldDirectory
import AirfieldScreens
import Fieldstone
import FieldstoneHTML
import Foundation

extension DirectorySite {
  /// Looks whether a form with a file is taken, whose origin was checked and of which only the head
  /// has come.
  ///
  /// - Parameter length: how many bytes its body has.
  public func receive(_ request: SiteRequest, length: Int) async -> FormReception {
    await model.settings.load()
    guard let address = PageAddress(path: request.path, query: request.query) else {
      return .refused(notFound)
    }
    guard request.method == "POST" else { return .refused(notAllowed(address)) }
    guard address == .importing, let screen = model.importing else {
      return .refused(SiteResponse(status: 415, text: "Post a form without files."))
    }
    guard !request.isEncoded else { return .refused(Self.encoded) }
    do {
      let reader = try MultipartReader(contentType: request.headers["content-type"] ?? "")
      return .upload(SiteUpload(self, try await screen.receive(bytes: length), reader))
    } catch {
      return .refused(importRefusal(error))
    }
  }

  func importPage(problem: String? = nil, status: Int = 200) async -> SiteResponse {
    guard let screen = model.importing else { return notFound }
    guard problem == nil else { return importPage(screen, problem: problem, status: status) }
    await screen.load()
    return importPage(screen, problem: nil, status: screen.isBlind ? 503 : status)
  }

  /// The page that says why a file was not taken.
  func importRefusal(_ error: any Error) -> SiteResponse {
    guard let screen = model.importing else { return notFound }
    return importPage(screen, problem: error.localizedDescription, status: Self.status(of: error))
  }

  /// Does what a button of the page says.
  func takeImport(_ values: [(name: String, value: String)]) async -> SiteResponse {
    guard let screen = model.importing else { return notFound }
    switch values.last(where: { $0.name == "do" })?.value {
    case "cancel": await screen.cancel()
    case "resume": await screen.resume()
    case "giveUp": await screen.giveUp()
    case "look": await screen.retry()
    default: return importRefusal(MultipartError.noFile)
    }
    return .see(.importing)
  }

  /// All rejected rows as a file.
  func rejects() async -> SiteResponse {
    guard let screen = model.importing else { return notFound }
    do {
      guard let text = try await screen.rejectsText() else { return notFound }
      return SiteResponse(
        status: 200, type: "text/csv; charset=utf-8", body: Array(text.utf8),
        headers: ["Content-Disposition": "attachment; filename=\"rejects.csv\""])
    } catch {
      return unreachable(error, retry: .importing)
    }
  }

  private func importPage(_ screen: ImportScreen, problem: String?, status: Int) -> SiteResponse {
    let view = ImportView(
      screen: screen, settings: model.settings.settings, hasFaults: hasFaults, refusal: problem)
    return SiteResponse(
      status: status, page: view.html, headers: ["Cache-Control": "no-store"])
  }

  private static func status(of error: any Error) -> Int {
    switch error {
    case UploadError.tooLarge: 413
    case UploadError.busy: 409
    case MultipartError.noFile, MultipartError.severalFiles: 422
    case is MultipartError: 400
    default: 503
    }
  }
}
