import Foundation

/// The mark of a file that the backups of Apple's systems leave out; other systems have none.
enum BackupMark {
  @Sendable static func isSet(_ path: String) -> Bool {
    #if canImport(Darwin)
      let values = try? URL(filePath: path, directoryHint: .notDirectory)
        .resourceValues(forKeys: [.isExcludedFromBackupKey])
      return values?.isExcludedFromBackup ?? false
    #else
      return false
    #endif
  }

  @Sendable static func set(_ path: String) {
    #if canImport(Darwin)
      var url = URL(filePath: path, directoryHint: .notDirectory)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? url.setResourceValues(values)
    #endif
  }
}
