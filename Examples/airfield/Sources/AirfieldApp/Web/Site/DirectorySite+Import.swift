import Fieldstone
import FieldstoneHTML
import FieldstoneServing
import Foundation

extension DirectorySite {
  /// Takes a form with a file, whose origin was checked, while it arrives.
  func answer(_ request: SiteRequest, body: SiteBody) async -> SiteResponse {
    await model.settings.load()
    guard let address = PageAddress(path: request.path, query: request.query) else {
      return notFound
    }
    guard request.method == "POST" else { return notAllowed(address) }
    guard address == .importing, let screen = model.importing, !model.source.isReadOnly else {
      return SiteResponse(status: 415, text: "Post a form without files.")
    }
    guard !request.isEncoded else { return Self.encoded }
    do {
      let reader = try MultipartReader(contentType: request.headers["content-type"] ?? "")
      var upload = SiteUpload(try await screen.receive(bytes: body.length), reader)
      try await upload.receive(body)
      return .see(.importing)
    } catch {
      return importRefusal(error)
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

  func takeImport(_ values: FormValues) async -> SiteResponse {
    guard let screen = model.importing else { return notFound }
    switch values["do"] {
    case "import": await screen.importCompared()
    case "discard": await screen.discard()
    case "cancel": await screen.cancel()
    case "resume": await screen.resume()
    case "giveUp": await screen.giveUp()
    case "look": await screen.retry()
    default: return importRefusal(PostedFileError.noFile)
    }
    return .see(.importing)
  }

  /// The rejected rows as a file, which is read while it is sent.
  func rejects() async -> SiteAnswer {
    guard let screen = model.importing else { return .response(notFound) }
    guard let place = downloads.take() else { return .response(Self.tooManyDownloads) }
    do {
      guard let pieces = try await screen.rejects() else { return .response(notFound) }
      var rest = pieces
      guard let first = try await rest.next() else { return .response(notFound) }
      return .download(
        SiteDownload(headers: Self.file("rejects.csv")) { [rest] take in
          defer { withExtendedLifetime(place) {} }
          try await take(Array(first.utf8))
          for try await piece in rest { try await take(Array(piece.utf8)) }
        })
    } catch {
      return .response(unreachable(error, retry: .importing))
    }
  }

  private func importPage(_ screen: ImportScreen, problem: String?, status: Int) -> SiteResponse {
    let view = ImportView(
      screen: screen, settings: model.settings.settings, notes: notes, refusal: problem)
    return SiteResponse(
      status: status, page: view.html, headers: ["Cache-Control": "no-store"])
  }

  private static func status(of error: any Error) -> Int {
    switch error {
    case UploadError.tooLarge: 413
    case UploadError.busy: 409
    case is PostedFileError: 422
    case is MultipartError: 400
    default: 503
    }
  }
}
