import FieldstoneDurable
import FieldstoneDurableTesting

/// Broken in what it knows of a run beside its record.
extension BrokenJournal {
  static var standings: [Self] {
    [
      Self(.standing, "signals that are there are not seen") {
        $0.onStanding = { base, id in
          var standing = try await base.standing(of: id)
          standing?.hasSignal = false
          return standing
        }
      },
      Self(.standing, "any signal counts") {
        $0.onStanding = { base, id in
          var standing = try await base.standing(of: id)
          standing?.hasSignal = true
          return standing
        }
      },
      Self(.standing, "limits are not told") {
        $0.onStanding = { base, id in
          var standing = try await base.standing(of: id)
          standing?.limitUse = nil
          return standing
        }
      },
      Self(.standing, "a run is kept by its own place") {
        $0.onStanding = { base, id in
          var standing = try await base.standing(of: id)
          if standing?.limitUse?.keyHolders == [] { standing?.limitUse?.keyHolders = [id] }
          return standing
        }
      },
      Self(.standing, "quarantine is not told") {
        $0.onStanding = { base, id in
          var standing = try await base.standing(of: id)
          standing?.isQuarantined = false
          return standing
        }
      },
    ]
  }
}
