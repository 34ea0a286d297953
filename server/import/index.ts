// Import of tables, and repairs by explicit choice.
export { createImportChangeList, type ImportChangeList } from './import-change-list.ts'
export { inspectFile } from './inspect.ts'
export { findDraftSet } from './import-history.ts'
export { moveImportRecords, saveDroppedEntries, saveImportRecord } from './import-record.ts'
export type { ImportFacts } from '#wire/tables.ts'
export { previewImport, type ImportPreview, type PreviewRequest } from './preview.ts'
export { readTable, type ReadOptions } from './read-table.ts'
export { repairChanges } from './repair-changes.ts'
