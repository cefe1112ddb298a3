import Harness

/// Everything that is measured: one area a file.
let areas: [Area] = [stages, fields, forms, loading, lists, storage, durable]
