import Foundation

/// Names the boot of this machine, since when its uptime counts.
enum BootIdentifier {
  /// Read once: it can't change while the process lives.
  static let current: String = read() ?? "unknown"

  private static func read() -> String? {
    #if canImport(Darwin)
      var size = 0
      guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 0 else {
        return nil
      }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
      let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
      let name = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    #endif
    return name.isEmpty ? nil : name
  }
}
