// Importing a table: the map, and rows as entries (completions 7: import).
export { importRows } from './import-rows.ts'
export { parseImportMap, type ImportMap } from './mapping.ts'
export type { Table, TableRow } from './table.ts'
