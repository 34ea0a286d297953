// Import of tables, and repairs by explicit choice (issue: import, --repair; completions 7).
export { importCsv, type Imported, type ImportFacts, type ImportRequest } from './import-csv.ts'
export { lastImport, rememberImport, type ImportRecord } from './import-record.ts'
export { repairChanges, type ChangeList, type RepairedChanges } from './repair-changes.ts'
