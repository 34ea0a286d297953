// Importing a table: the map, and rows as entries (completions 7: import).
export { importRows, type ImportedRows, type Table, type TableRow } from './import-rows.ts'
export { importMapSchema, parseImportMap, type ImportMap } from './mapping.ts'
export { slugOf } from './slug.ts'
