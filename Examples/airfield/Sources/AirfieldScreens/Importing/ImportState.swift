public import AirfieldDirectory

/// What the import of a file is at, for a screen.
public enum ImportState: Sendable, Equatable {
  /// Nobody has looked yet.
  case unknown
  /// No file was imported.
  case nothing
  /// A file is being taken in: how many bytes of how many, those around it included.
  case uploading(received: Int, of: Int)
  /// A file is being compared with the directory.
  case comparing(file: String)
  /// A file was compared, and is imported or discarded when somebody says so.
  case compared(file: String, ImportPreview)
  /// A file is being imported.
  case running(ImportStatus)
  /// It was called off, and can go on.
  case cancelled(ImportStatus)
  /// A file was imported.
  case finished(ImportStatus)
  /// It has failed; the message says what to do about it.
  case failed(ImportStatus, message: String, canGoOn: Bool)

  init(_ status: ImportStatus?) {
    guard let status else {
      self = .nothing
      return
    }
    switch status.phase {
    case .running: self = .running(status)
    case .cancelled: self = .cancelled(status)
    case .finished: self = .finished(status)
    case .refused(let error): self = .failed(status, message: error.message, canGoOn: false)
    case .failed(let error): self = .failed(status, message: error, canGoOn: true)
    }
  }

  /// Whether another file has to wait.
  public var isBusy: Bool {
    switch self {
    case .uploading, .comparing, .running: true
    case .unknown, .nothing, .compared, .cancelled, .finished, .failed: false
    }
  }

  /// How the import stands, where there is one.
  public var status: ImportStatus? {
    switch self {
    case .running(let status), .cancelled(let status), .finished(let status),
      .failed(let status, _, _):
      status
    case .unknown, .nothing, .uploading, .comparing, .compared: nil
    }
  }

  /// How many airports are other ones because of it.
  var changedAirports: Int {
    status.map { $0.progress.counts.stored + $0.progress.counts.updated } ?? 0
  }
}
