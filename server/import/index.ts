// Import of tables, and repairs by explicit choice (issue: import, --repair; completions 7).
export { decode } from './decode.ts'
export { importCsv, type Imported, type ImportFacts } from './import-csv.ts'
export { lastImport, rememberImport, type ImportRecord } from './import-record.ts'
export { repairChanges, type ChangeList } from './repair-changes.ts'
