// The storages that every test of this folder runs against, by name; a new one is one line here.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OrgStore } from '../../server/ports/org-store.ts'
import type { OrgProperties } from '../../server/ports/org-properties.ts'
import { createSqliteStore, openSqliteStore } from '../../server/storage/sqlite/index.ts'

export const facts: OrgProperties = {
  lineage: '018f0000-0000-7000-8000-000000000001',
  name: 'Storage',
  environment: 'test',
  createdAt: '2026-01-01T00:00:00.000Z',
  sliceBudget: 1000,
}

export interface Harness {
  /** A new, empty store. */
  create(): OrgStore
  /** Another connection to the store that was created last, which waits `busyMs` for another writer. */
  again(busyMs?: number): OrgStore
  /** Closes and removes everything. */
  dispose(): void
}

export const dialects: readonly (readonly [name: string, make: () => Harness])[] = [['sqlite', sqliteHarness]]

function sqliteHarness(): Harness {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-store-'))
  const open: OrgStore[] = []
  let count = 0
  const path = (): string => join(folder, `${count}.sqlite`)
  const keep = (store: OrgStore): OrgStore => {
    open.push(store)
    return store
  }
  return {
    create: () => {
      count += 1
      return keep(createSqliteStore(path(), facts))
    },
    again: (busyMs) => keep(openSqliteStore(path(), { busyMs })),
    dispose: () => {
      for (const store of open) store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
