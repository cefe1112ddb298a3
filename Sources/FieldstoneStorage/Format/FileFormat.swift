import FieldstoneCore
import Foundation

/// The codec and the schema of a store: they convert a value to the bytes of the file, and back.
struct FileFormat<Value: Sendable>: Sendable {
  let codec: FileCodec<Value>
  let schema: FileSchema?

  func encode(_ value: Value, path: String) throws(FileStoreError) -> Data {
    do {
      let payload = try codec.encode(value)
      guard let schema else { return payload }
      return Envelope(schema: schema.version, payload: payload).data
    } catch {
      throw FileStoreError(.encoding, path: path, underlying: [error])
    }
  }

  /// The contents of a file with these bytes, and the version of its schema.
  func decode(_ data: Data, path: String) -> (contents: FileContents<Value>, schema: Int?) {
    do throws(FileStoreError) {
      let (payload, version) = try open(data, path: path)
      return (.value(try decode(payload, version: version, path: path)), version)
    } catch {
      switch error.code {
      case .newer(let schema): return (.newer(schema: schema), schema)
      case .corrupt: return (.corrupt(CorruptFile(reason: error, setAside: nil)), nil)
      default: return (.unreadable(error), nil)
      }
    }
  }

  private func open(
    _ data: Data, path: String
  ) throws(FileStoreError) -> (payload: Data, version: Int?) {
    switch (Envelope.read(data), schema) {
    // Without a schema, a text may begin as an envelope does.
    case (.plain, nil), (.damaged, nil): return (data, nil)
    case (.plain, let schema?):
      guard let version = schema.plainVersion else {
        throw FileStoreError(.corrupt, path: path, underlying: [Self.noEnvelope])
      }
      return (data, version)
    case (.damaged, .some):
      throw FileStoreError(.corrupt, path: path, underlying: [Self.checksumDiffers])
    case (.newerFormat(let format), _):
      throw FileStoreError(.newer(schema: format), path: path)
    case (.envelope(let envelope), let schema):
      // A program without a schema counts as older than one with a schema.
      guard let schema, envelope.schema <= schema.version else {
        throw FileStoreError(.newer(schema: envelope.schema), path: path)
      }
      return (envelope.payload, envelope.schema)
    }
  }

  private func decode(
    _ payload: Data, version: Int?, path: String
  ) throws(FileStoreError) -> Value {
    var payload = payload
    if let schema, let version, version < schema.version {
      for step in version..<schema.version {
        do {
          guard let migration = schema.migrations[step] else { throw Self.noMigration }
          payload = try migration.migrate(payload)
        } catch {
          throw FileStoreError(.migration(from: step), path: path, underlying: [error])
        }
      }
    }
    do {
      return try codec.decode(payload)
    } catch {
      // After a migration, an undecodable result does not prove that the file is corrupt.
      if let schema, let version, version < schema.version {
        throw FileStoreError(.migration(from: schema.version - 1), path: path, underlying: [error])
      }
      throw FileStoreError(.corrupt, path: path, underlying: [error])
    }
  }
}

extension FileFormat {
  private static var noEnvelope: MessageError {
    MessageError(
      "it does not begin with the line of an envelope; if a version of this program without a "
        + "schema wrote it, give FileSchema its plainVersion")
  }
  private static var checksumDiffers: MessageError {
    MessageError("its checksum does not match")
  }
  private static var noMigration: MessageError {
    MessageError("the schema has no migration from it")
  }
}
