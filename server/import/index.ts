// Import of tables, and repairs by explicit choice (issue: import, --repair; completions 7).
export { importedList, type ImportedList } from './imported-list.ts'
export { inspectFile } from './inspect.ts'
export { draftedSet } from './import-memory.ts'
export { followImports, rememberDropped, rememberImport } from './import-record.ts'
export type { ImportFacts } from './import-table.ts'
export { previewImport, type ImportPreview, type PreviewRequest } from './preview.ts'
export { readTable, type ReadOptions } from './read-table.ts'
export { repairChanges } from './repair-changes.ts'
