// Config digests of sets and flags, and the business keys of their entries.
import { hash } from 'node:crypto'
import type { ComponentId } from '#kernel/components/component.ts'
import { setDigestOfText } from '#kernel/change/digest.ts'
import type { SetReader, SetSummariesWrite, SetSummary, SetTransactor } from '../../ports/sets.ts'
import { digestAt } from './components.ts'
import { all, one, OPEN, run, type Db } from './db.ts'
import { damagedComponentError } from './verified-content.ts'

export function setReader(db: Db): SetReader {
  return {
    summary: (generation, set) => summaryAt(db, generation, set),
    verifiedSummary: (generation, set) => verifiedSummaryAt(db, generation, set),
    entryDigests: (generation, set) => entryDigestsAt(db, generation, set),
    changedBetween: (from, to) => changedBetween(db, from, to),
    businessKeys: (generation, set) => businessKeysAt(db, generation, set),
    changedKeysBetween: (from, to, set) => changedKeysBetween(db, from, to, set),
  }
}

export function setTransactor(db: Db, reader: SetReader): SetTransactor {
  return { ...reader, putSummaries: (generation, write) => putSummaries(db, generation, write) }
}

function summaryAt(db: Db, generation: number, set: string): SetSummary | undefined {
  return one<SetSummary>(
    db,
    'SELECT set_key AS "set", digest, bytes FROM set_fact WHERE set_key = ? AND from_gen <= ? AND to_gen > ?',
    set,
    generation,
    generation,
  )
}

function verifiedSummaryAt(db: Db, generation: number, set: string): SetSummary | undefined {
  const summary = summaryAt(db, generation, set)
  if (summary === undefined) return undefined
  const id: ComponentId = `config_set/${set}`
  const definition = digestAt(db, generation, id) ?? digestAt(db, generation, `feature_flag/${set}`)
  if (definition === undefined) return summary
  if (setDigestOfText(definition, entryDigestsAt(db, generation, set), sha256) !== summary.digest)
    throw damagedComponentError(id)
  return summary
}

const sha256 = (text: string): string => hash('sha256', text, 'hex')

function entryDigestsAt(db: Db, generation: number, set: string): string {
  // Ordered in a subquery, which follows the primary key; an order within the aggregate would sort again.
  const sql = `SELECT json_group_array(digest) AS digests FROM (SELECT digest FROM placement
    WHERE type = 'config_entry' AND key > ? AND key < ? AND from_gen <= ? AND to_gen > ? ORDER BY key)`
  return one<{ digests: string }>(db, sql, `${set}.`, `${set}/`, generation, generation)!.digests
}

function changedBetween(db: Db, from: number, to: number): string[] {
  const [low, high] = from < to ? [from, to] : [to, from]
  const touched = all<{ set_key: string }>(
    db,
    `SELECT DISTINCT set_key FROM set_fact WHERE (from_gen > ? AND from_gen <= ?) OR (to_gen > ? AND to_gen <= ?)
     ORDER BY set_key`,
    low,
    high,
    low,
    high,
  )
  const digest = (generation: number, set: string): string | undefined =>
    one<{ digest: string }>(
      db,
      'SELECT digest FROM set_fact WHERE set_key = ? AND from_gen <= ? AND to_gen > ?',
      set,
      generation,
      generation,
    )?.digest
  return touched.map((row) => row.set_key).filter((set) => digest(low, set) !== digest(high, set))
}

function businessKeysAt(db: Db, generation: number, set: string): (string | null)[] {
  const sql = `SELECT DISTINCT business_key FROM placement WHERE set_key = ? AND from_gen <= ? AND to_gen > ?
    ORDER BY business_key`
  return all<{ business_key: string | null }>(db, sql, set, generation, generation).map(
    (row) => row.business_key,
  )
}

function changedKeysBetween(db: Db, from: number, to: number, set: string): (string | null)[] {
  const [low, high] = from < to ? [from, to] : [to, from]
  // By the generations, not by the set: few rows were changed, but the set may have many.
  const sql = `SELECT business_key FROM placement WHERE from_gen > ? AND from_gen <= ? AND +set_key = ?
    UNION SELECT business_key FROM placement WHERE to_gen > ? AND to_gen <= ? AND to_gen < ${OPEN} AND +set_key = ?
    ORDER BY business_key`
  const rows = all<{ business_key: string | null }>(db, sql, low, high, set, low, high, set)
  return rows.map((row) => row.business_key)
}

function putSummaries(db: Db, generation: number, { sets, removed }: SetSummariesWrite): void {
  for (const { set, digest, bytes } of sets) {
    closeSummary(db, generation, set)
    run(
      db,
      `INSERT INTO set_fact (set_key, from_gen, to_gen, digest, bytes)
       VALUES (@set, @generation, ${OPEN}, @digest, @bytes)`,
      { set, generation, digest, bytes },
    )
  }
  for (const set of removed) closeSummary(db, generation, set)
}

function closeSummary(db: Db, generation: number, set: string): void {
  run(db, `UPDATE set_fact SET to_gen = ? WHERE set_key = ? AND to_gen = ${OPEN}`, generation, set)
}
