// Bulk ingest: rows that are uploaded in parts and saved in batches.
export { createIngestRunner, type IngestRunner, type RowSource } from './ingest-runner.ts'
export { purgeIngests } from './ingest-retention.ts'
export { ingestWrites, type IngestWrites } from './ingest-writes.ts'
export { eraseParts } from './erase-parts.ts'
export { createIngests, type IngestCaller, type Ingests } from './ingests.ts'
export { partBytes } from './part-bytes.ts'
export { readBatches } from './row-reader.ts'
export { rowOutcomes } from './results.ts'
