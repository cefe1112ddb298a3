import FieldstoneStorage
import Foundation
import Harness

/// Values in files: what a store costs above the system calls that it can't do without.
let storage = Area("storage") {
  Group("save-durable", floor: "bare system calls") {
    Case(
      "bare system calls", setup: { try BareFile() },
      { file in try file.save() })
    Case(
      "fieldstone FileStore, durable", goals: [.atMost(1.5)],
      setup: { try await StoredRecord(durability: .durable, schema: nil) },
      { stored in try await stored.save() })
    Case(
      "fieldstone FileStore, durable, with an envelope", goals: [.atMost(1.5)],
      setup: { try await StoredRecord(durability: .durable, schema: FileSchema(1)) },
      { stored in try await stored.save() })
    Case(
      "fieldstone FileStore, update of a durable file",
      setup: { try await StoredRecord(durability: .durable, schema: nil) },
      { stored in try await stored.update() })
    Case(
      "fieldstone FileStore, fast",
      setup: { try await StoredRecord(durability: .fast, schema: nil) },
      { stored in try await stored.save() })
    Case(
      "Foundation atomic write, not durable", setup: { try BareFile() },
      { file in try file.saveWithFoundation() })
  }
}
