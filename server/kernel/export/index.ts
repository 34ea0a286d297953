// Sets as tables, and their CSV lines.
export { csvLine, guardText, unguardText } from './csv-line.ts'
export { setTable, type SetCell, type SetColumn, type SetTable } from './set-table.ts'
