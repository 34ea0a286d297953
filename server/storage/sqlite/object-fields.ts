// Identities of the fields of objects: one row a version of an object.
import { componentId } from '#kernel/components/component.ts'
import {
  earlierFields,
  nextFieldIds,
  type EarlierField,
  type FieldId,
  type FieldShape,
} from '#kernel/records/index.ts'
import type { ComponentIdentity } from '../../ports/identities.ts'
import { all, one, run, type Db } from './db.ts'
import { identityAt } from './identities.ts'

/** The parts of an object that identify its fields. */
export interface WrittenObject {
  key: string
  body: { fields: readonly FieldShape[] }
}

/** A new field has the number of its generation, and its own within that. */
const fieldsPerGeneration = 1_000_000

/**
 * Writes the identities of the fields of all objects that a generation writes. Call it once their placements exist.
 *
 * @param restoresFrom the generation whose fields come back
 */
export function writeObjectFields(
  db: Db,
  generation: number,
  objects: readonly WrittenObject[],
  restoresFrom: number | null = null,
): void {
  let created = 0
  const create = (): FieldId => (generation * fieldsPerGeneration + (created += 1)) as FieldId
  for (const { key, body } of objects) {
    const object = identityAt(db, generation, componentId('object', key))!
    const targetOf = ({ references }: FieldShape): EarlierField['target'] =>
      references === undefined
        ? null
        : ((identityAt(db, generation, componentId('object', references)) ?? null) as EarlierField['target'])
    const restored = restoresFrom === null ? [] : fieldRows(db, object, restoresFrom)
    const ids = nextFieldIds(fieldRows(db, object, generation - 1), body.fields, targetOf, create, restored)
    const fields = earlierFields(body.fields, ids, targetOf)
    run(
      db,
      'INSERT INTO object_fields (object, from_gen, fields) VALUES (?, ?, ?)',
      object,
      generation,
      JSON.stringify(fields),
    )
  }
}

/** The identities of the fields of an object in a generation, by key; empty if the object does not exist there. */
export function fieldIdsAt(db: Db, generation: number, object: string): Map<string, FieldId> {
  const identity = identityAt(db, generation, componentId('object', object))
  const rows = identity === undefined ? [] : fieldRows(db, identity, generation)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** The generations that added or changed an object, the newest first. */
export function objectVersions(db: Db, object: ComponentIdentity): number[] {
  const sql = 'SELECT from_gen FROM object_fields WHERE object = ? ORDER BY from_gen DESC'
  return all<{ from_gen: number }>(db, sql, object).map(({ from_gen: generation }) => generation)
}

/** The fields of an object in a generation, even if it had a different key then. */
export function fieldRows(db: Db, object: ComponentIdentity, generation: number): EarlierField[] {
  const row = one<{ fields: string }>(
    db,
    'SELECT fields FROM object_fields WHERE object = ? AND from_gen <= ? ORDER BY from_gen DESC LIMIT 1',
    object,
    generation,
  )
  return row === undefined ? [] : (JSON.parse(row.fields) as EarlierField[])
}
