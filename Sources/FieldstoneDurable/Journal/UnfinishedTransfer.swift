import FieldstoneCore

/// A copy or a move between journals that ended before it was complete, and left them sealed.
package struct UnfinishedTransfer: DescribedError {
  /// Why it ended.
  package let reason: any Error

  package var message: String {
    let text = (reason as? any DescribedError)?.message ?? String(describing: reason)
    return
      "\(text) Journals stay sealed, and refuse every write, until this is complete: once the cause "
      + "is removed, repeat the same command."
  }

  /// Does what leaves journals sealed until it is complete, and marks its errors.
  ///
  /// Those marked as ``PassedOn`` are thrown as they are, and so is a cancellation.
  static func marking(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let passed as PassedOn {
      throw passed.error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw UnfinishedTransfer(reason: error)
    }
  }

  /// An error that is thrown as it is: one of the report, or one after which all is undone.
  struct PassedOn: Error {
    let error: any Error

    /// Calls a report, whose errors are passed on.
    static func marking(_ report: () throws -> Void) throws {
      do { try report() } catch { throw Self(error: error) }
    }
  }
}
