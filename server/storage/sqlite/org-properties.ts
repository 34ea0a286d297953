// The properties of the org, and the latest time that it has seen: its clock never goes back behind it.
import type { OrgProperties, PropertyReader, PropertyTransactor } from '../../ports/org-properties.ts'
import { one, run, type Db } from './db.ts'

export function propertyReader(db: Db): PropertyReader {
  return {
    get: () => propertiesOf(db),
    latestTime: () => one<{ at: string }>(db, 'SELECT at FROM clock')?.at ?? '',
  }
}

export function propertyTransactor(db: Db, reader: PropertyReader): PropertyTransactor {
  return {
    ...reader,
    put: (properties) =>
      void run(db, 'UPDATE org SET name = @name, environment = @environment, slice_budget = @sliceBudget', {
        ...propertiesOf(db),
        ...properties,
      }),
    recordTime: (at) => void run(db, 'UPDATE clock SET at = @at WHERE at <= @at', { at }),
  }
}

function propertiesOf(db: Db): OrgProperties {
  const sql = `SELECT lineage, name, environment, created_at AS createdAt, slice_budget AS sliceBudget FROM org`
  return one<OrgProperties>(db, sql)!
}
