#if os(macOS) || os(Linux)
  import FieldstoneCore
  import FieldstoneStorage
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("Several processes and one file", .timeLimit(.minutes(20)))
  struct ProcessTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func store(_ file: URL) -> FileStore<Record> {
      FileStore(at: file, schema: FileSchema(1))
    }

    @Test("A process that is being started, and holds this one's open files, holds up no writer")
    func startingProcess() async throws {
      let (system, copies) = (SystemCalls.system, Recorder<Int32>())
      defer { for copy in copies.elements { try? system.close(copy) } }
      var calls = system
      calls.open = { (folder, name, flags, mode) throws(SystemError) in
        let file = try system.open(folder, name, flags, mode)
        copies.record(dup(file))
        return file
      }
      let options = FileStoreOptions(lockTimeout: .zero)
      let store = FileStore<Record>(
        at: folder.file, schema: FileSchema(1), options: options, calls: calls)
      for number in 1...3 { try await store.save(Record(number)) }
      #expect(await store.load() == .value(Record(3)))
    }

    private static let seed: UInt64 = 0x5EED_F11E
    private static let rounds = 300
    private static let lanes = 2

    @Test(
      "A writer that is killed at any time leaves a whole value, 300 rounds", arguments: 0..<lanes)
    func killedWriters(lane: Int) async throws {
      let file = folder.file
      var random = SeededGenerator(seed: Self.seed + UInt64(lane))
      var last = 0
      for round in 0..<Self.rounds / Self.lanes {
        let isDurable = round % 2
        let lines = Int.random(in: 1...6, using: &random)
        let spin = Int.random(in: 0..<60_000, using: &random)
        let told = try await onThread {
          let writer = try OtherProcess("write", file, isDurable)
          var told = 0
          for _ in 0..<lines { told = writer.line().flatMap { Int($0) } ?? -1 }
          // Somewhere within the next saves.
          var sum = 0
          for number in 0..<spin { sum = sum &* 31 &+ number }
          writer.kill()
          for line in writer.end() { told = Int(line) ?? -1 }
          return sum == 42 ? -1 : told
        }
        guard case .value(let record) = await store(file).load() else {
          Issue.record("seed \(Self.seed), lane \(lane), round \(round): no value is there")
          return
        }
        guard record == Record(record.number), told > last,
          // What was told is there; one more may be, whose telling was cut off.
          (told...told + 1).contains(record.number), folder.names == ["value.json"]
        else {
          Issue.record(
            """
            seed \(Self.seed), lane \(lane), round \(round): record \(record.number) after \(told) \
            was told and \(last) was there before; files \(folder.names)
            """)
          return
        }
        last = record.number
      }
    }

    @Test("A reader never sees anything but a whole value while another process writes")
    func readsWhileOthersWrite() async throws {
      let file = folder.file
      let writer = try await onThread {
        let writer = try OtherProcess("write", file, 0)
        _ = writer.line()
        return writer
      }
      let store = store(file)
      var last = 0
      for _ in 0..<300 {
        let record = await store.load().value
        guard let record, record == Record(record.number), record.number >= last else {
          Issue.record("after \(last) came \(String(describing: record?.number))")
          break
        }
        last = record.number
      }
      try await onThread {
        writer.kill()
        writer.end()
      }
      #expect(last > 0)
    }

    @Test("A writer that dies before any of its system calls leaves a whole value")
    func diesAtEachCall() async throws {
      let file = folder.file
      var number = 1
      while true {
        try await store(file).save(Record(1))
        let lines = try await onThread { [number] in
          try OtherProcess("crash", file, number).end()
        }
        guard case .value(let record) = await store(file).load() else {
          Issue.record("call \(number): no value is there")
          return
        }
        #expect(record == Record(1) || record == Record(2), "call \(number)")
        #expect(folder.names == ["value.json"], "call \(number)")
        if lines == ["saved"] {
          #expect(record == Record(2))
          break
        }
        try #require(lines.isEmpty && number < 100)
        number += 1
      }
      #expect(number > 15)
    }

    @Test("Four processes that add 500 each make 2,000")
    func increments() async throws {
      let file = folder.file
      let ended = try await onThread {
        let processes = try (0..<4).map { _ in try OtherProcess("increment", file, 500) }
        return processes.map { $0.end() }
      }
      #expect(ended == Array(repeating: ["done"], count: 4))
      #expect(await FileStore<Int>(at: file).load() == .value(2_000))
      #expect(folder.names == ["value.json"])
    }

    @Test("Stores of one process on one file are kept apart like processes")
    func incrementsHere() async throws {
      let file = folder.file
      try await withThrowingTaskGroup { group in
        for _ in 0..<4 {
          let store = FileStore<Int>(at: file, options: .fast)
          group.addTask { for _ in 0..<50 { try await store.update(default: 0) { $0 += 1 } } }
        }
        try await group.waitForAll()
      }
      #expect(await FileStore<Int>(at: file).load() == .value(200))
    }

    @Test("Who waits for another process gives up when the time is over, and reads meanwhile")
    func lockTimesOut() async throws {
      let (file, time) = (folder.file, ManualTime())
      try folder.write("1")
      let other = try await onThread {
        let other = try OtherProcess("hold", file)
        _ = other.line()
        return other
      }
      let store = FileStore<Int>(at: file, time: time.source)
      #expect(await store.load() == .value(1))
      let update = Task { try await store.update(timeout: .seconds(3)) { $0 += 1 } }
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(3))
      let error = await #expect(throws: FileStoreError.self) { try await update.value }
      #expect(error?.code == .lockTimedOut)
      let save = Task { try await store.save(5) }
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(10))
      await #expect(throws: FileStoreError.self) { try await save.value }
      #expect(await store.load() == .value(1))
      // One that is under way when the other ends goes on.
      let late = Task { try await store.update { $0 += 1 } }
      await time.sleepers(atLeast: 1)
      _ = try await onThread {
        other.endInput()
        return other.end()
      }
      time.advance(by: .milliseconds(1))
      try await late.value
      #expect(await store.load() == .value(102))
    }

    @Test("Users that may write the file may lock it, whatever this process's mask takes away")
    func lockOfSharedFile() async throws {
      try folder.write("1")
      try folder.setMode(0o666)
      try await FileStore<Int>(at: folder.file).save(2)
      let lock = folder.url.appending(path: ".value.json.fieldstone-lock").path()
      let attributes = try FileManager.default.attributesOfItem(atPath: lock)
      #expect(attributes[.posixPermissions] as? Int == 0o666)
      #expect(folder.mode() == 0o666)
    }

    @Test("The lock of a process that is killed is free")
    func killedHolder() async throws {
      let file = folder.file
      try folder.write("1")
      try await onThread {
        let other = try OtherProcess("hold", file)
        _ = other.line()
        other.kill()
        other.end()
      }
      let store = FileStore<Int>(at: file)
      try await store.update { $0 += 1 }
      #expect(await store.load() == .value(2))
    }
  }
#endif
