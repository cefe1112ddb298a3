import Harness

/// Everything that is measured: one area a file.
let areas: [Area] = [stages, fields, forms, loading, lists, storage, durable] + postgresAreas

#if POSTGRES
  private let postgresAreas = [postgres]
#else
  /// `Scripts/bench postgres` builds it in.
  private let postgresAreas: [Area] = []
#endif
