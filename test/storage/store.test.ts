// Transactions, two processes on one org, and runtime state.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { OrgStore, OrgTransactor } from '../../server/ports/org-store.ts'
import type { DraftRow } from '#wire/index.ts'
import type { SearchTypes } from '../../server/ports/search.ts'
import type { StoredResult } from '../../server/ports/results.ts'
import { createSqliteStore, openSqliteStore } from '../../server/storage/sqlite/index.ts'
import { dialects, facts } from './stores.ts'
import { entry, writeSteps } from './write.ts'
import { draftTable } from '../../server/ports/draft-table.ts'

describe.each(dialects)('a store on %s', (_, make) => {
  const harness = make()
  afterAll(() => harness.dispose())
  let store: OrgStore
  beforeEach(() => {
    store = harness.create()
  })

  it('commits a transaction completely or not at all', () => {
    writeSteps(store, [{ kind: 'added', component: entry('a', '1') }])
    const failing = (transactor: OrgTransactor): void => {
      transactor.people.putGroup({ key: 'tax', name: 'Tax', permissionSets: [] })
      transactor[draftTable].put(draft('config_entry/fee.a', 1))
      throw new Error('stop')
    }
    expect(() => store.write(failing)).toThrow('stop')
    store.read((reader) => {
      expect(reader.people.groups()).toEqual([])
      expect(reader[draftTable].all()).toEqual([])
      expect(reader.generations.active()).toBe(1)
    })
  })

  it('closes a transactor when its transaction ends', () => {
    let staleTransactor: OrgTransactor | undefined
    let people: OrgTransactor['people'] | undefined
    store.write((transactor) => {
      staleTransactor = transactor
      people = transactor.people
    })
    const group = { key: 'tax', name: 'Tax', permissionSets: [] }
    expect(() => staleTransactor!.people.putGroup(group)).toThrow(/revoked/)
    expect(() => people!.putGroup(group)).toThrow(/revoked/)
  })

  it('gives a reader one snapshot, regardless of later writes', () => {
    const other = harness.again()
    store.read((reader) => {
      expect(reader.generations.active()).toBe(0)
      writeSteps(other, [{ kind: 'added', component: entry('a', '1') }])
      expect(reader.generations.active()).toBe(0)
    })
    expect(store.read((reader) => reader.generations.active())).toBe(1)
  })

  it('has a position that grows with every change, for all connections', () => {
    const other = harness.again()
    const first = store.position()
    store.write((transactor) => transactor.settings.put('color', 'red'))
    const second = store.position()
    expect(second).toBeGreaterThan(first)
    expect(other.position()).toBe(second)
    store.write((transactor) => transactor.settings.get('color'))
    expect(() =>
      store.write((transactor) => {
        transactor.settings.put('color', 'blue')
        throw new Error('undone')
      }),
    ).toThrow('undone')
    expect(store.position()).toBe(second)
    other.write((transactor) => transactor.settings.put('color', 'green'))
    expect(store.position()).toBeGreaterThan(second)
  })

  it('names the writer to a second writer, and corrupts nothing', () => {
    const other = harness.again(50)
    store.write((transactor) => {
      transactor.people.putGroup({ key: 'tax', name: 'Tax', permissionSets: [] })
      expect(() =>
        other.write((second) => second.people.putGroup({ key: 'b', name: 'B', permissionSets: [] })),
      ).toThrow(expect.objectContaining({ code: 'org.busy', details: [{ pid: process.pid }] }) as Error)
    })
    other.write((second) => second.people.putGroup({ key: 'b', name: 'B', permissionSets: [] }))
    expect(store.read((reader) => reader.people.groups())).toHaveLength(2)
  })

  it('purges old generations that no result binds, and only those', () => {
    writeSteps(store, [{ kind: 'added', component: entry('a', '1') }])
    writeSteps(store, [{ kind: 'changed', component: entry('a', '2') }])
    writeSteps(store, [{ kind: 'changed', component: entry('a', '3') }])
    store.write((transactor) => transactor.results.put(result('r1', 1)))
    const purge = (): unknown => store.write((transactor) => transactor.generations.purgeBefore(3))
    expect(purge).toThrow(expect.objectContaining({ code: 'deploy.history_bound' }) as Error)
    store.write((transactor) => transactor.results.put({ ...result('r1', 1), state: 'archived' }))
    expect(purge()).toEqual({ generations: 2, versions: 2 })
    store.read((reader) => {
      expect(reader.generations.view(3).get('config_entry', 'fee.a')?.body.values).toEqual({ amount: '3' })
      expect(() => reader.generations.view(2)).toThrow(/purged/)
      // The audit keeps before and after even when the generation is purged.
      expect(reader.audit.list({ generation: 2 })).toMatchObject([
        { before: { label: 'Fee a' }, after: { label: 'Fee a' } },
      ])
    })
  })

  it('pages stored results and counts what they bind', () => {
    store.write((transactor) => {
      for (const [id, generation] of [
        ['r1', 1],
        ['r2', 1],
        ['r3', 2],
      ] as const)
        transactor.results.put(result(id, generation))
    })
    store.read((reader) => {
      expect(reader.results.list({ limit: 2 }).map(({ id }) => id)).toEqual(['r3', 'r2'])
      expect(reader.results.list({ before: 'r2' }).map(({ id }) => id)).toEqual(['r1'])
      expect(reader.results.list({ generation: 2 })).toEqual([result('r3', 2)])
      expect([...reader.results.boundGenerations()].sort()).toEqual([
        [1, 2],
        [2, 1],
      ])
    })
  })

  it('filters the audit', () => {
    writeSteps(store, [{ kind: 'added', component: entry('a', '1') }])
    store.write((transactor) => {
      for (const at of ['2026-02-01', '2026-03-01'])
        transactor.audit.append({
          at,
          actor: 'ada',
          correlationId: 'c',
          generation: null,
          component: 'client/local',
          kind: 'token.issued',
          before: null,
          after: { hours: 1 },
          rationale: '',
        })
    })
    store.read((reader) => {
      expect(reader.audit.list({ actor: 'ada' })).toHaveLength(2)
      expect(reader.audit.list({ kind: 'added' })).toHaveLength(1)
      expect(reader.audit.list({ since: '2026-02-15' })).toHaveLength(1)
      const [newest] = reader.audit.list({ limit: 1 })
      expect(newest).toMatchObject({ at: '2026-03-01', after: { hours: 1 }, before: null })
      expect(reader.audit.list({ before: newest!.id })).toHaveLength(2)
      expect(reader.audit.list({ component: 'config_entry/fee.a', actor: 'ada' })).toEqual([])
    })
  })

  it('stores users, tokens, settings and drafts', () => {
    const mara = {
      key: 'mara',
      name: 'Mara',
      active: true,
      locale: 'de-AT',
      passwordHash: null,
      groups: ['tax'],
      permissionSets: ['author'],
    }
    store.write((transactor) => {
      transactor.people.putUser(mara)
      transactor.tokens.put({
        hash: 'h1',
        client: 'local',
        user: 'mara',
        expiresAt: '2026-01-01T01:00:00.000Z',
        operator: null,
        key: null,
      })
      transactor.tokens.put({
        hash: 'h2',
        client: 'local',
        user: 'mara',
        expiresAt: '2026-01-01T03:00:00.000Z',
        operator: null,
        key: null,
      })
      transactor.tokens.deleteExpired('2026-01-01T02:00:00.000Z')
      transactor.settings.put('theme', { dark: true })
      transactor.properties.put({ name: 'Renamed' })
      transactor[draftTable].put(draft('config_set/fee', 1))
      transactor[draftTable].put(draft('config_set/fee', 2))
    })
    store.read((reader) => {
      expect(reader.people.users()).toEqual([mara])
      expect([reader.tokens.get('h1'), reader.tokens.get('h2')?.user]).toEqual([undefined, 'mara'])
      expect(reader.settings.get('theme')).toEqual({ dark: true })
      expect(reader.properties.get()).toEqual({ ...facts, name: 'Renamed' })
      expect(reader[draftTable].all()).toEqual([draft('config_set/fee', 2)])
    })
    store.write((transactor) => transactor[draftTable].delete('config_set/fee'))
    expect(store.read((reader) => reader[draftTable].get('config_set/fee'))).toBeUndefined()
  })

  it('finds components and drafts by the first letters of their words', () => {
    writeSteps(store, [
      { kind: 'added', component: { ...entry('a', '1'), label: 'Austria standard' } },
      { kind: 'added', component: entry('b', '2') },
    ])
    const find = (text: string): ComponentId[] =>
      store.read((reader) => reader.search.find(text, { limit: 10 }).hits.map(({ id }) => id))
    expect(find('austr stand')).toEqual(['config_entry/fee.a'])
    expect(find('fee')).toEqual(['config_entry/fee.a', 'config_entry/fee.b'])
    expect(find('"; DROP')).toEqual([])
    writeSteps(store, [{ kind: 'changed', component: entry('a', '1') }])
    expect(find('austria')).toEqual([])
    writeSteps(store, [{ kind: 'removed', id: 'config_entry/fee.b' }])
    expect(find('fee')).toEqual(['config_entry/fee.a'])
  })

  it('finds what has the name before what mentions it, page by page, each once', () => {
    const store = harness.create()
    const named = (key: string, words: string): Component => ({
      ...entry(key, words),
      label: `Label ${key}`,
    })
    const many = Array.from({ length: 7 }, (_, at) => named(`x${at}`, at < 4 ? 'zebra' : '1'))
    writeSteps(store, [
      ...many.map((component) => ({ kind: 'added' as const, component })),
      { kind: 'added' as const, component: { ...named('zebra', '2'), label: 'Named' } },
    ])
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = store.read((reader) =>
        reader.search.find('zebra', { limit: 2, ...(after === undefined ? {} : { after }) }),
      )
      seen.push(...page.hits.map(({ id, rank }) => `${rank} ${id}`))
      after = page.next ?? undefined
    } while (after !== undefined)
    expect(seen).toEqual([
      'name config_entry/fee.zebra',
      ...[0, 1, 2, 3].map((at) => `text config_entry/fee.x${at}`),
    ])
    expect(store.read((reader) => [reader.search.count('zeb'), reader.search.count('none')])).toEqual([5, 0])
    const of = (types: SearchTypes) =>
      store.read((reader) => [
        reader.search.count('zeb', types),
        reader.search.find('zeb', { limit: 10, ...types }).hits.length,
      ])
    expect([of({ type: 'config_entry' }), of({ excludedType: 'config_entry' })]).toEqual([
      [5, 5],
      [0, 0],
    ])
    expect(store.read((reader) => reader.search.find('fee.zebra', { limit: 1 }).hits)).toEqual([
      { id: 'config_entry/fee.zebra', rank: 'key' },
    ])
  })
})

describe('the SQLite file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-file-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is refused unchanged if a newer Almanac wrote it', () => {
    const path = join(folder, 'newer.sqlite')
    createSqliteStore(path, facts).close()
    const db = new Database(path)
    db.pragma('user_version = 99')
    db.close()
    const before = readFileSync(path)
    expect(() => openSqliteStore(path)).toThrow(
      expect.objectContaining({ code: 'org.newer_schema' }) as Error,
    )
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('is not made by opening it, and not overwritten by making it', () => {
    const path = join(folder, 'none.sqlite')
    expect(() => openSqliteStore(path)).toThrow(expect.objectContaining({ code: 'org.not_found' }) as Error)
    createSqliteStore(path, facts).close()
    expect(() => createSqliteStore(path, facts)).toThrow(
      expect.objectContaining({ code: 'org.exists' }) as Error,
    )
  })
})

function draft(id: ComponentId, version: number): DraftRow {
  return {
    id,
    text: '{',
    baseDigest: null,
    baseGeneration: 0,
    version,
    author: 'mara',
    changedBy: 'ben',
    writers: [
      { user: 'mara', operator: null },
      { user: 'ben', operator: null },
    ],
    updatedAt: '2026-01-01',
  }
}

function result(id: string, generation: number): StoredResult {
  return {
    id,
    label: id,
    at: '2026-01-01',
    actor: 'mara',
    expression: '1',
    inputs: [],
    value: '"1"',
    binding: { generation },
    state: 'bound',
  }
}
