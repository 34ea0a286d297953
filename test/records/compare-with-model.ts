// Compares a store with the model: rows, bindings, kept inputs, the history of each record, and what is left for after the
// commit.
import { expect } from 'vitest'
import type { RecordSnapshot } from '#kernel/records/index.ts'
import type { RecordStore, StoredRecord } from '../../server/ports/record-store.ts'
import { changesBetween, inputsOf, valuesOf, type ModelRow, type RecordModel } from './model.ts'
import { publishedEvents } from '../support/published-events.ts'
import { allChanges } from '../support/record-changes.ts'

export async function compareWithModel(
  store: RecordStore,
  model: RecordModel,
  { names }: RecordSnapshot,
): Promise<void> {
  const objects = ['customer', 'invoice', 'line'].map((key) => names.objectId(key)!)
  const stored = await store.read(async (reader) =>
    (await Promise.all(objects.map((object) => reader.page(object, null, 10_000)))).flat(),
  )
  expect(plain(stored)).toEqual(plain(model.rows.values()))
  // The writes of each record, also of removed ones.
  const ids = [...new Set(model.history.map(([id]) => id))]
  const written = await store.read(async (reader) =>
    (await Promise.all(ids.flatMap((id) => objects.map((object) => allChanges(reader, object, id))))).flat(),
  )
  const changes = written.map(({ record, version, operation, fields }) => {
    const [before, after] = [
      new Map(fields.map((field) => [field.field, field.before])),
      new Map(fields.map((field) => [field.field, field.after])),
    ]
    return [record, version, operation, changesBetween(before, after)]
  })
  const byId = Map.groupBy(model.history, ([id]) => id)
  expect(changes).toEqual(ids.flatMap((id) => byId.get(id)!))
  const effects = await store.read((reader) => reader.effects(0, 100_000))
  expect(
    effects.map(({ kind, automation, action, record, version, body }) => [
      ...[kind, `${automation}.${action}`, record, version],
      body,
    ]),
  ).toEqual(model.effects)
  const events = await publishedEvents(store)
  const payloads = events.map(({ channel, content }) => [
    channel,
    content.kind === 'platform' && content.payload,
  ])
  expect(payloads).toEqual(model.events.map(([channel, , payload]) => [channel, payload]))
}

function plain(rows: Iterable<StoredRecord | ModelRow>): unknown {
  return [...rows]
    .map((row) => ({
      ...{ id: row.id, version: row.version, values: valuesOf(row), inputs: inputsOf(row) },
      bindings: [...row.bindings].sort(([a], [b]) => a - b),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}
