import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

extension BrokenJournal {
  static var coded: [Self] {
    [
      Self(.coded, "an encoded signal is refused as no JSON") {
        $0.onSignal = { base, id, signal, time in
          if PayloadEnvelope.isCoded(signal.payload) { throw JournalError.notJSON }
          return try await base.signal(id, signal, at: time)
        }
      },
      Self(.coded, "an encoded edit is refused as no JSON") {
        $0.onChange = { base, id, change, time in
          if case .edit(let payload, version: _, expectedSequence: _) = change,
            PayloadEnvelope.isCoded(payload)
          {
            throw JournalError.notJSON
          }
          return try await base.change(id, change, at: time)
        }
      },
      Self(.coded, "payloads end at a zero") {
        $0.onRun = { base, id in
          var record = try await base.run(id)
          if let payload = record?.payload, payload.first == 0 { record?.payload = Data() }
          return record
        }
      },
    ]
  }
}
