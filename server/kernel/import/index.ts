// Importing a table: the map, and rows as entries; what a file holds before anything of it is taken (completions 7: import).
export { columnFacts, type ColumnFacts } from './columns.ts'
export { guessHeader } from './guess-header.ts'
export { importRows } from './import-rows.ts'
export type { ImportInspection, ImportQuestion } from './inspection.ts'
export { parseImportMap, type ImportMap } from './mapping.ts'
export { suggestMap } from './suggest-map.ts'
export type { PlacedEntry } from './name-entries.ts'
export { columnName, type Table, type TableRow } from './table.ts'
