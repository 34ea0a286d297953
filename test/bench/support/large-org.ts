// One hundred thousand entries, as a directory and as an org.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { initOrg, type OpenOptions } from '../../../server/compose/open-org.ts'
import { fileText, pathOf, type ApplyRequest, type Org } from '../../../server/pipeline/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { entryOf, invoice, tariff, tariffEntries, tariffSet, type TariffKey } from './tariff.ts'

export const set = 'tariff'
export const entryCount = 100_000

export interface LargeOrg {
  keys: TariffKey[]
  components: object[]
}

/** The object, the set and 100,000 entries: 20,000 keys of 5 ranges. */
export function largeOrg(): LargeOrg {
  const keys = tariff(entryCount / 5, 5, false)
  return { keys, components: [invoice, tariffSet(set, ['environment', 'org']), ...tariffEntries(set, keys)] }
}

/** Component files in the layout of retrieve. */
export function writeComponents(dir: string, components: Iterable<object>): void {
  const folders = new Set<string>()
  for (const component of components as Iterable<Component>) {
    const path = join(dir, pathOf(component.type, component.key))
    if (!folders.has(dirname(path))) mkdirSync(dirname(path), { recursive: true })
    folders.add(dirname(path))
    writeFileSync(path, fileText(component))
  }
}

export function newOrg(dir: string, options: OpenOptions = {}): Org {
  return initOrg(dir, { name: 'Bench', environment: 'dev' }, options)
}

export function requestOf(components: readonly object[], most = 10): ApplyRequest {
  return { source: { kind: 'components', components }, actor: 'admin', rationale: 'Measured.', most }
}

/** Changes the last range of one key, and returns the new value. */
export function oneChange(
  keys: readonly TariffKey[],
  turn: number,
): { key: string; day: number; value: string; entry: object } {
  const { key, rows } = keys[(turn * 7919) % keys.length]!
  const row = rows.at(-1)!
  const value = `${turn + 1}.75`
  return { key, day: row.from, value, entry: entryOf(set, key, { ...row, value }) }
}

/**
 * Checks what readers of the org get for a key at org on a day.
 * @throws Error if the value differs
 */
export function expectValue(org: Org, key: string, day: number, value: string): void {
  const rows = org.pin().slice.sets.get(set)!.rowsByKey.get(key)!
  const row = rows.org!.find(({ from, to }) => from <= day && day < to)
  if (row?.values['rate'] !== value)
    throw new Error(`${key} resolves to ${String(row?.values['rate'])}, not ${value}.`)
}
