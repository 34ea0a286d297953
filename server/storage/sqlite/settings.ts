// Named settings of the org, as JSON.
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { SettingReader, SettingTransactor } from '../../ports/settings.ts'
import { one, run, type Db } from './db.ts'

export function settingReader(db: Db): SettingReader {
  return {
    get: (name) => {
      const row = one<{ json: string }>(db, 'SELECT json FROM setting WHERE name = ?', name)
      return row === undefined ? undefined : (JSON.parse(row.json) as JsonValue)
    },
  }
}

export function settingTransactor(db: Db, reader: SettingReader): SettingTransactor {
  return {
    ...reader,
    put: (name, value) =>
      void run(db, 'INSERT OR REPLACE INTO setting (name, json) VALUES (?, ?)', name, JSON.stringify(value)),
    delete: (name) => void run(db, 'DELETE FROM setting WHERE name = ?', name),
  }
}
