import Foundation
import Testing

@testable import FieldstoneStorage

@Suite("Standard folders and errors")
struct PlacesTests {
  @Test("XDG variables are heard, and what they are unless set", arguments: StandardFolder.allCases)
  func baseDirectories(folder: StandardFolder) {
    let home = ["HOME": "/home/ada"]
    let (variable, expected): (String, String?) =
      switch folder {
      case .documents: ("XDG_DOCUMENTS_DIR", "/home/ada/Documents")
      case .applicationSupport: ("XDG_DATA_HOME", "/home/ada/.local/share")
      case .configuration: ("XDG_CONFIG_HOME", "/home/ada/.config")
      case .state: ("XDG_STATE_HOME", "/home/ada/.local/state")
      case .caches: ("XDG_CACHE_HOME", "/home/ada/.cache")
      case .temporary: ("TMPDIR", nil)
      }
    #expect(folder.baseDirectory(in: home) == expected)
    #expect(folder.baseDirectory(in: home.merging([variable: "/else"]) { $1 }) == "/else")
    // A path that is not whole is to be ignored.
    #expect(folder.baseDirectory(in: home.merging([variable: "else"]) { $1 }) == expected)
    #expect(folder.baseDirectory(in: home.merging([variable: ""]) { $1 }) == expected)
    #expect(folder.baseDirectory(in: [:]) == nil)
    #expect(folder.baseDirectory(in: ["HOME": "ada"]) == nil)
  }

  @Test("A program's own folder is within the system's", arguments: StandardFolder.allCases)
  func applicationFolder(folder: StandardFolder) throws {
    let (outer, inner) = (try folder.url(), try folder.url(application: "org.example.app"))
    #expect(inner.path().hasPrefix(outer.path()))
    #expect(inner.path().hasSuffix("/org.example.app/"))
    let store = try FileStore<Int>("a/b.json", in: folder, application: "org.example.app")
    #expect(store.url.path() == inner.path() + "a/b.json")
  }

  @Test("A name that is empty or leads out of the folder is refused, with the remedy")
  func refusedNames() {
    func refused(_ name: String, _ make: () throws -> Void) {
      let error = #expect(throws: FileStoreError.self, "\(name.debugDescription)") { try make() }
      #expect(error?.code == .notAFile && error?.path == name)
      #expect(error?.message.contains("Give a name that is not empty") == true)
    }
    // Not as arguments: a log must not contain NUL.
    for name in [
      "", ".", "..", "/", "../x", "../../x.json", "a/../../x", "a/..", "/etc/x", "x\0y", "a/.",
      // A combining mark makes one character of itself and the slash, for Swift, not for a system.
      "../\u{301}x", "a/../\u{301}/x", "/\u{301}etc/x", "\u{301}/..",
    ] {
      refused(name) { _ = try FileStore<Int>(name, in: .caches) }
      refused(name) { _ = try FileStore<Int>("x.json", in: .caches, application: name) }
      refused(name) { _ = try StandardFolder.caches.url(application: name) }
    }
  }

  @Test(
    "A name may contain dots and folders", arguments: ["a..b", "..a", "a/b/.c", "...", "a b%2F"])
  func acceptedNames(name: String) throws {
    let folder = try StandardFolder.caches.url(application: name).path(percentEncoded: false)
    #expect(folder.hasSuffix("/\(name)/"))
    let store = try FileStore<Int>(name, in: .caches)
    #expect(store.url.path(percentEncoded: false).hasSuffix("/\(name)"))
  }

  @Test(
    "Names beside a file have at most 255 bytes, and end no character of its name early",
    arguments: ["x", "ü", "語", "👩‍👩‍👧‍👦", "e" + String(repeating: "\u{301}", count: 100)])
  func longestNames(character: String) {
    for length in 170...260 {
      let name =
        String(repeating: "y", count: length % 7)
        + String(repeating: character, count: length / character.utf8.count)
      let names = FileNames(of: name)
      let all = [
        names.lock, names.setAside, names.temporary(.max), names.kept(.unreadable, number: .max),
        names.backup(schema: .min, number: .max),
      ]
      #expect(all.allSatisfy { $0.utf8.count <= 255 })
      #expect(all.allSatisfy { names.isTemporary($0) == ($0 == all[2]) })
      let stem = names.setAside.dropLast(".fieldstone-corrupt".count)
      #expect(stem == name || name.hasPrefix(stem.dropLast(17)))
      #expect(name.utf8.count > 180 || stem == name)
    }
  }

  @Test("CRC-32C is the one that others compute")
  func checksum() {
    #expect(CRC32C.checksum(Data()) == 0)
    #expect(CRC32C.checksum(Data("123456789".utf8)) == 0xE306_9283)
    #expect(CRC32C.checksum(Data(repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(CRC32C.checksum(Data(repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(CRC32C.checksum(Data(0..<32)) == 0x46DD_794E)
  }

  @Test("An envelope in a form of the future is newer and not corrupt")
  func newerFormat() {
    let rest = Data(" format=2 whatever\nanything".utf8)
    let data =
      Data("fieldstone crc32c=".utf8) + Data(hexadecimal(CRC32C.checksum(rest)).utf8) + rest
    guard case .newerFormat(2) = Envelope.read(data) else {
      Issue.record("not the newer format")
      return
    }
  }

  @Test("Every error says where, why and what to do", arguments: FileStep.allCases)
  func messages(step: FileStep) {
    for number in [ENOSPC, EACCES, EROFS, EIO, ENOENT, EISDIR, ELOOP, ENAMETOOLONG, EMFILE, 9_999] {
      let error = FileStoreError(at: step, path: "/somewhere/value.json", errorNumber: number)
      #expect(error.message.contains("/somewhere/value.json"))
      #expect(error.message.contains("(\(number))"))
      #expect(error.message.contains(String(cString: strerror(number))))
      #expect(error.message.hasSuffix("."))
      #expect((error as NSError).localizedDescription == error.message)
    }
  }
}
