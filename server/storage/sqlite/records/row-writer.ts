// Writes rows of the tables of records. An update sets the columns that change, so that indexes over others stay as they
// are.
import type Database from 'better-sqlite3'
import type { MappedTable, Row } from './rows.ts'

export class RowWriter {
  readonly #statement: (sql: string) => Database.Statement<unknown[]>
  readonly #inserts = new WeakMap<MappedTable, Database.Statement<unknown[]>>()

  /** @param statement prepares a statement once */
  constructor(statement: (sql: string) => Database.Statement<unknown[]>) {
    this.#statement = statement
  }

  insert(table: MappedTable, row: Row): void {
    let insert = this.#inserts.get(table)
    if (insert === undefined) {
      const { name, written } = table
      const sql = `INSERT INTO ${name} (${written.join(', ')}) VALUES (${written.map(() => '?').join(', ')})`
      this.#inserts.set(table, (insert = this.#statement(sql)))
    }
    insert.run(table.written.map((column) => row[column]))
  }

  /** @param before the row as it is stored; if omitted, every column is set */
  update({ name, written }: MappedTable, row: Row, before?: Row): void {
    const changed =
      before === undefined ? written : written.filter((column) => row[column] !== before[column])
    if (changed.length === 0) return
    const values = changed.map((column) => row[column])
    this.#statement(`UPDATE ${name} SET ${changed.join(' = ?, ')} = ? WHERE id = ?`).run(values, row['id'])
  }
}
