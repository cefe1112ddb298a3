import Harness

/// Everything that is measured: one area a file.
let areas: [Area] =
  [stages, fields, forms, loading, lists, storage, durable]
  + postgresAreas + inspectorAreas

#if POSTGRES
  private let postgresAreas = [postgres]
#else
  /// `Scripts/bench postgres` builds it in.
  private let postgresAreas: [Area] = []
#endif

#if INSPECTOR
  private let inspectorAreas = [inspector]
#else
  /// `Scripts/bench inspector` builds it in.
  private let inspectorAreas: [Area] = []
#endif
