// Edits of a sheet, their undo and their saving: the server ends up with the rows that the sheet shows, in any order.
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../../api/request.ts'
import type { BatchedDraft } from '../../../api/sheet.ts'
import type { ComponentId, DraftRow, JsonObject } from '../../../api/wire.ts'
import { BaseRows } from './base-rows.ts'
import { SheetSaver } from './sheet-saver.ts'
import { parseUnsavedRows, serializeUnsavedRows, parseOwnRows, serializeOwnRows } from './unsaved-rows.ts'
import { newRowCells } from './paste.ts'
import { columns, columnsFor, places, rates, sheetOf, type Row } from './sheet-fixture.ts'
import type { Sheet } from './sheet.ts'

const rate = 'body/values/rate'
const from = 'body/effectiveFrom'
const to = 'body/effectiveTo'

/** Saves drafts like the server: checks versions, saves all of a batch or none, and keeps no draft without a change. */
class FakeServer {
  readonly drafts = new Map<string, DraftRow>()
  readonly active: Map<string, string>
  batches = 0
  down = false

  constructor(rows: readonly Row[]) {
    const sheet = sheetOf(rows)
    this.active = new Map(
      rows.map(([slug], row) => [`config_entry/vat_rate.${slug}`, textOf(sheet, row, slug)]),
    )
  }

  keep = (batch: readonly BatchedDraft[]): Promise<number[]> => {
    this.batches += 1
    if (this.down) return Promise.reject(new ApiError(0, 'studio.unreachable', 'It does not answer.'))
    const moved = batch.filter(({ id, version }) => (this.drafts.get(id)?.version ?? 0) !== version)
    if (moved.length > 0)
      return Promise.reject(
        new ApiError(
          409,
          'conflict.stale_draft',
          'Moved.',
          moved.map(({ id }) => this.drafts.get(id) ?? { id, version: 0 }),
        ),
      )
    return Promise.resolve(batch.map((draft) => this.put(draft)))
  }

  put(draft: BatchedDraft): number {
    const { id, version } = draft
    const text = 'drop' in draft ? undefined : 'text' in draft ? draft.text : this.#edited(id, draft.edits)
    const active = this.active.get(id)
    if (
      text === undefined ||
      (text === null && active === undefined) ||
      (text !== null && same(text, active))
    ) {
      this.drafts.delete(id)
      return 0
    }
    const savedDraft = {
      id,
      text,
      version: version + 1,
      baseDigest: null,
      baseGeneration: 1,
      author: 'me',
      changedBy: 'me',
      writers: [],
      updatedAt: '',
    }
    this.drafts.set(id, savedDraft)
    return savedDraft.version
  }

  #edited(id: ComponentId, edits: readonly { path: readonly string[]; value?: unknown }[]): string {
    const json = JSON.parse(this.drafts.get(id)?.text ?? this.active.get(id)!) as JsonObject
    for (const { path, value } of edits) {
      const holder = path.slice(0, -1).reduce((part, name) => part[name] as JsonObject, json)
      if (value === undefined) delete holder[path.at(-1)!]
      else holder[path.at(-1)!] = value as JsonObject
    }
    return JSON.stringify(json)
  }

  list = (): DraftRow[] => [...this.drafts.values()]
}

/** The content of a row's text without its label. */
function textOf(sheet: Sheet, row: number, slug: string): string {
  const body: JsonObject = { set: 'vat_rate', values: {} }
  for (const place of places) {
    const value = sheet.value(row, place)
    const [, first = '', second] = place.split('/')
    if (!place.startsWith('body/') || value === undefined) continue
    if (second === undefined) body[first] = value
    else (body.values as JsonObject)[second] = value
  }
  return JSON.stringify({ type: 'config_entry', key: `vat_rate.${slug}`, label: 'x', body })
}

const parts = (text: string): unknown => {
  try {
    return (JSON.parse(text) as { body: JsonObject }).body
  } catch {
    return text
  }
}
const same = (a: string, b: string | undefined): boolean =>
  b !== undefined && JSON.stringify(sortedJson(parts(a))) === JSON.stringify(sortedJson(parts(b)))
const sortedJson = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, part]) => [name, sortedJson(part)]),
      )

const nothing = {
  schedule: () => undefined,
  onChange: () => undefined,
  onSaved: () => undefined,
  onDraftGone: () => undefined,
}

/** What a window loads when a draft is gone; null for only the drafts. */
let gone: (() => void) | null = null
beforeEach(() => (gone = null))

/** Another user writes over a row's draft. */
function theirs(server: FakeServer, slug: string, text: string, by: string): void {
  const id: ComponentId = `config_entry/vat_rate.${slug}`
  const draft = server.drafts.get(id)
  server.put({
    id,
    version: draft?.version ?? 0,
    text: (draft?.text ?? server.active.get(id)!).replace(text, by),
  })
  server.drafts.set(id, { ...server.drafts.get(id)!, changedBy: 'tom' })
}

/** The draft of a row becomes active. */
function applied(server: FakeServer, slug: string): void {
  const id = `config_entry/vat_rate.${slug}`
  server.active.set(id, server.drafts.get(id)!.text!)
  server.drafts.delete(id)
}

const withRate =
  (slug: string, rateNow: string) =>
  (row: Row): Row =>
    row[0] === slug ? [row[0], row[1], row[2], row[3], rateNow] : row

function open(rows = rates, server = new FakeServer(rows)) {
  const sheet = sheetOf(rows)
  const readDrafts = (): void => {
    sheet.syncState.loadDrafts(server.list())
    saver.review()
  }
  const parts = { ...nothing, save: server.keep, onDraftGone: () => (gone ?? readDrafts)() }
  const saver: SheetSaver = new SheetSaver(sheet.syncState, parts)
  return { server, sheet, saver }
}

/**
 * A window that opens after the window of `sheet` was closed: with its unsaved rows over the server's current state.
 */
function after({
  sheet,
  server,
}: Pick<ReturnType<typeof open>, 'sheet' | 'server'>): ReturnType<typeof open> {
  const next = open(rates, server)
  next.sheet.restore(parseUnsavedRows(serializeUnsavedRows(sheet.syncState.unsavedRows())))
  next.sheet.syncState.loadDrafts(server.list())
  return next
}

/** Asserts that the server has exactly the rows that the sheet shows. */
function expectKept(sheet: Sheet, server: FakeServer): void {
  const textBySlug = new Map<string, string | null>()
  for (let row = 0; row < sheet.base.size; row += 1) {
    const slug = sheet.base.slugs[row]!
    const kind = sheet.editOf(row)?.kind
    if (kind === 'removed') textBySlug.set(slug, null)
    if (kind === 'changed') textBySlug.set(slug, textOf(sheet, row, slug))
  }
  for (const row of sheet.addedRows())
    textBySlug.set(sheet.slugOf(row), textOf(sheet, row, sheet.slugOf(row)))
  const kept = server.list().map(({ id, text }) => [id.slice('config_entry/vat_rate.'.length), text] as const)
  expect(kept.map(([slug]) => slug).sort()).toEqual([...textBySlug.keys()].sort())
  for (const [slug, text] of kept)
    expect(text === null ? null : sortedJson(parts(text))).toEqual(
      textBySlug.get(slug) == null ? null : sortedJson(parts(textBySlug.get(slug)!)),
    )
}

describe('a sheet', () => {
  it('shows what is written, undoes it and redoes it', () => {
    const { sheet } = open()
    expect(sheet.write('typing', [{ row: 1, place: rate, value: '0.21' }])).toBe(1)
    expect([sheet.value(1, rate), sheet.isEdited(1, rate), sheet.isEdited(1, from)]).toEqual([
      '0.21',
      true,
      false,
    ])
    expect(sheet.undo()?.label).toBe('typing')
    expect([sheet.value(1, rate), sheet.editOf(1)]).toEqual(['0.1900', undefined])
    sheet.redo()
    expect(sheet.value(1, rate)).toBe('0.21')
    // Written back by hand, it is no longer an edit.
    sheet.write('typing', [{ row: 1, place: rate, value: '0.1900' }])
    expect(sheet.editOf(1)).toBeUndefined()
  })

  it('does not create an undo step for an edit that changes nothing', () => {
    const { sheet } = open()
    expect(sheet.write('typing', [{ row: 1, place: rate, value: '0.1900' }])).toBe(0)
    expect(sheet.undoStack.last).toBeNull()
  })

  it('names a new row after its key and first day, as often as they change', () => {
    const { sheet } = open()
    const [row] = sheet.add('new row', [newRowCells(columns)])
    expect(sheet.slugOf(row!)).toBe('org')
    sheet.write('typing', [{ row: row!, place: 'body/key', value: 'DE' }])
    expect(sheet.slugOf(row!)).toBe('de')
    sheet.write('typing', [{ row: row!, place: from, value: '2021-01-01' }])
    expect(sheet.slugOf(row!)).toBe('de_2021_01_01')
    const [other] = sheet.add('duplicate', [sheet.cellsOf(row!)])
    expect(sheet.slugOf(other!)).toBe('de_2021_01_01_2')
    sheet.undo()
    expect(sheet.addedRows()).toEqual([row])
  })

  it('leaves a removed row unchanged, and restores it', () => {
    const { sheet } = open()
    sheet.remove('remove', [0])
    expect(sheet.write('typing', [{ row: 0, place: rate, value: '1' }])).toBe(0)
    sheet.undo()
    expect(sheet.editOf(0)).toBeUndefined()
  })

  it('shows the saved drafts, readable or not', () => {
    const { sheet, server } = open()
    const id = (slug: string): ComponentId => `config_entry/vat_rate.${slug}`
    server.put({ id: id('de_2021'), version: 0, edits: [{ path: rate.split('/'), value: '19 %' }] })
    server.put({ id: id('de_2020'), version: 0, text: '{ half' })
    server.put({ id: id('at_1995'), version: 0, text: null })
    const text =
      '{"type":"config_entry","key":"vat_rate.fr","label":"F","body":{"set":"vat_rate","key":"FR","scope":{"kind":"org"},"values":{"rate":"0.2"}}}'
    server.put({ id: id('fr'), version: 0, text })
    sheet.syncState.loadDrafts(server.list())
    expect(sheet.value(1, rate)).toBe('19 %')
    expect(sheet.editOf(2)).toEqual({ kind: 'unread', slug: 'de_2020', text: '{ half' })
    expect(sheet.editOf(0)).toEqual({ kind: 'removed' })
    const [fr] = sheet.addedRows()
    expect([sheet.value(fr!, 'body/key'), sheet.value(fr!, rate), sheet.slugOf(fr!)]).toEqual([
      'FR',
      '0.2',
      'fr',
    ])
    expect(sheet.write('typing', [{ row: 2, place: rate, value: '1' }])).toBe(0)
    server.drafts.clear()
    sheet.syncState.loadDrafts([])
    expect([sheet.edited.size, sheet.addedRows()]).toEqual([0, []])
  })

  it('keeps what is applied as active, and what was drafted on other rows as drafted', async () => {
    const { sheet, server, saver } = open()
    sheet.write('typing', [
      { row: 1, place: rate, value: '0.2100' },
      { row: 3, place: rate, value: '0.1800' },
    ])
    const [added] = sheet.add('new row', [
      newRowCells(columns, { 'body/key': 'FR', [rate]: '0.2', [from]: '2014-01-01' }),
    ])
    await saver.save()
    // de_2021 and the new row are applied; de_2007 waits.
    const slug = sheet.slugOf(added!)
    const applied: Row[] = [
      ...rates.map((row) =>
        row[0] === 'de_2021' ? ([...row.slice(0, 4), '0.2100'] as unknown as Row) : row,
      ),
      [slug, 'FR', '2014-01-01', null, '0.2000'],
    ]
    server.drafts.delete('config_entry/vat_rate.de_2021')
    server.drafts.delete(`config_entry/vat_rate.${slug}`)
    sheet.rebase(new BaseRows(columnsFor(applied, 'two')))
    sheet.syncState.loadDrafts(server.list())
    expect([sheet.value(1, rate), sheet.editOf(1), sheet.addedRows()]).toEqual(['0.2100', undefined, []])
    expect(sheet.value(4, 'body/key')).toBe('FR')
    expect([sheet.value(3, rate), sheet.isEdited(3, rate)]).toEqual(['0.1800', true])
    // An applied edit cannot be undone here.
    expect(sheet.undoStack.last).toBeNull()
  })

  it('loses nothing from a row that another user removed in the meantime', () => {
    const { sheet } = open()
    sheet.write('typing', [{ row: 1, place: rate, value: '0.21' }])
    sheet.rebase(
      new BaseRows(
        columnsFor(
          rates.filter(([slug]) => slug !== 'de_2021'),
          'two',
        ),
      ),
    )
    sheet.syncState.loadDrafts([])
    const [row] = sheet.addedRows()
    expect(sheet.cellsOf(row!)).toMatchObject({ 'body/key': 'DE', [rate]: '0.21', [from]: '2021-01-01' })
    expect(sheet.syncState.pending('de_2021')!.drafts).toMatchObject([
      { id: 'config_entry/vat_rate.de_2021', version: 0 },
    ])
  })
})

describe('saving', () => {
  it('sends one batch per step, and nothing if nothing would change', async () => {
    const { sheet, server, saver } = open()
    sheet.write(
      'paste',
      [0, 1, 2].map((row) => ({ row, place: rate, value: '0.5' })),
    )
    await saver.save()
    expect([server.batches, server.drafts.size, saver.state]).toEqual([1, 3, 'kept'])
    sheet.write('typing', [{ row: 0, place: rate, value: '0.6' }])
    sheet.undo()
    await saver.save()
    expect(server.batches).toBe(1)
    expectKept(sheet, server)
  })

  it('keeps the parts of a draft outside the sheet until the draft is discarded', async () => {
    const { sheet, server, saver } = open()
    const id: ComponentId = 'config_entry/vat_rate.de_2021'
    const draftText = JSON.stringify({ ...(JSON.parse(server.active.get(id)!) as object), breaking: true })
    server.drafts.set(id, {
      id,
      text: draftText,
      version: 4,
      baseDigest: null,
      baseGeneration: 1,
      author: 'x',
      changedBy: 'x',
      writers: [],
      updatedAt: '',
    })
    sheet.syncState.loadDrafts(server.list())
    expect(sheet.editOf(1)).toEqual({ kind: 'changed', cells: {} })
    // An edit brings back the values, not the other parts of the draft.
    const put = server.put.bind(server)
    server.put = (draft) => {
      if (!('edits' in draft)) return put(draft)
      server.drafts.set(id, { ...server.drafts.get(id)!, version: draft.version + 1 })
      return draft.version + 1
    }
    sheet.write('typing', [{ row: 1, place: rate, value: '0.5' }])
    await saver.save()
    sheet.write('typing', [{ row: 1, place: rate, value: '0.1900' }])
    await saver.save()
    expect([sheet.editOf(1), server.drafts.get(id)?.version]).toEqual([{ kind: 'changed', cells: {} }, 6])
    sheet.discard('discard', [1])
    await saver.save()
    expect([sheet.editOf(1), server.drafts.has(id)]).toEqual([undefined, false])
  })

  it('waits while the server is away, and saves once it is back', async () => {
    const { sheet, server, saver } = open()
    server.down = true
    sheet.write('typing', [{ row: 0, place: rate, value: '0.5' }])
    await saver.save()
    expect([saver.state, saver.failure, sheet.syncState.dirty.size]).toEqual([
      'waiting',
      'It does not answer.',
      1,
    ])
    server.down = false
    await saver.save()
    expect([saver.state, sheet.syncState.dirty.size]).toEqual(['kept', 0])
    expectKept(sheet, server)
  })

  it('recognises its own rows that arrived without a response', async () => {
    const one = open()
    one.sheet.write('typing', [{ row: 0, place: rate, value: '0.5' }])
    one.sheet.add('new row', [newRowCells(columns, { 'body/key': 'FR', [from]: '2020-01-01' })])
    void one.saver.save()
    await Promise.resolve()
    expect(one.server.drafts.size).toBe(2)
    one.sheet.write('typing', [{ row: 0, place: rate, value: '0.6' }])
    const { sheet, saver, server } = after(one)
    expect(sheet.addedRows()).toHaveLength(1)
    await saver.save()
    expect([saver.conflicts.size, sheet.syncState.dirty.size]).toEqual([0, 0])
    expectKept(sheet, server)
    expect(sheet.value(0, rate)).toBe('0.6')
    sheet.add('new row', [newRowCells(columns, { 'body/key': 'GR' })])
    expect(sheet.addedRows().map((row) => sheet.value(row, 'body/key'))).toEqual(['FR', 'GR'])
  })

  it('lets the user choose if another user wrote to the row and no response arrived', async () => {
    const one = open()
    const id: ComponentId = 'config_entry/vat_rate.at_1995'
    one.server.down = true
    one.sheet.write('typing', [{ row: 0, place: rate, value: '0.5' }])
    await one.saver.save()
    one.server.down = false
    one.server.put({ id, version: 0, edits: [{ path: rate.split('/'), value: '0.7' }] })
    const { saver } = after(one)
    await saver.save()
    expect([...saver.conflicts.keys()]).toEqual(['at_1995'])
  })

  it.each(['mine', 'theirs'] as const)(
    'reports rows that moved, saves the others, and then %s',
    async (choice) => {
      const { sheet, server, saver } = open()
      const id: ComponentId = 'config_entry/vat_rate.de_2021'
      server.put({ id, version: 0, edits: [{ path: rate.split('/'), value: '0.7' }] })
      sheet.write(
        'paste',
        [0, 1, 2].map((row) => ({ row, place: rate, value: '0.5' })),
      )
      await saver.save()
      expect([...saver.conflicts.keys()]).toEqual(['de_2021'])
      expect(server.drafts.size).toBe(3)
      saver.settle(['de_2021'], choice)
      await saver.save()
      expect(sheet.value(1, rate)).toBe(choice === 'mine' ? '0.5' : '0.7')
      expect(saver.conflicts.size).toBe(0)
      expectKept(sheet, server)
    },
  )

  it('joins what two users wrote into different cells of a row', async () => {
    const { sheet, server, saver } = open()
    theirs(server, 'de_2021', '"0.1900"', '"0.7"')
    sheet.write('typing', [{ row: 1, place: to, value: '2030-01-01' }])
    await saver.save()
    expect(saver.conflicts.size).toBe(0)
    expect([sheet.value(1, rate), sheet.value(1, to)]).toEqual(['0.7', '2030-01-01'])
    expectKept(sheet, server)
  })

  it('has no conflict when a draft was applied while more was typed into its row', async () => {
    const { sheet, server, saver } = open()
    sheet.write('typing', [{ row: 1, place: rate, value: '0.5000' }])
    await saver.save()
    // It is applied; before the window is notified, the same value is typed again, and an end.
    applied(server, 'de_2021')
    sheet.write('typing', [{ row: 1, place: to, value: '2030-01-01' }])
    sheet.rebase(new BaseRows(columnsFor(rates.map(withRate('de_2021', '0.5000')), 'two')))
    sheet.syncState.loadDrafts(server.list())
    await saver.save()
    expect([saver.state, saver.conflicts.size]).toEqual(['kept', 0])
    expect(sheet.editOf(1)).toEqual({ kind: 'changed', cells: { [to]: '2030-01-01' } })
    expectKept(sheet, server)
  })

  it('has no conflict when the server reports an apply before the events do', async () => {
    const { sheet, server, saver } = open()
    const [id] = sheet.add('row', [
      { ...newRowCells(columns), 'body/key': 'HR', [from]: '2023-01-01', [rate]: '0.2500' },
    ])
    await saver.save()
    const slug = sheet.slugOf(id!)
    applied(server, slug)
    gone = () => {
      sheet.rebase(new BaseRows(columnsFor([...rates, [slug, 'HR', '2023-01-01', null, '0.2500']], 'two')))
      sheet.syncState.loadDrafts(server.list())
      saver.review()
    }
    sheet.write('typing', [{ row: id!, place: rate, value: '0.3000' }])
    await saver.save()
    expect([saver.conflicts.size, sheet.addedRows()]).toEqual([0, []])
    expect(sheet.value(sheet.rowNamed(slug)!, rate)).toBe('0.3000')
    expect([...server.drafts.keys()]).toEqual([`config_entry/vat_rate.${slug}`])
  })

  it('asks if another user discarded a draft while its row was being edited', async () => {
    const { sheet, server, saver } = open()
    sheet.write('typing', [{ row: 1, place: rate, value: '0.5' }])
    await saver.save()
    server.drafts.clear()
    sheet.write('typing', [{ row: 1, place: rate, value: '0.6' }])
    await saver.save()
    expect([...saver.conflicts]).toEqual([['de_2021', null]])
    saver.settle(['de_2021'], 'theirs')
    await saver.save()
    expect([sheet.value(1, rate), server.drafts.size, saver.conflicts.size]).toEqual(['0.1900', 0, 0])
  })

  it('reports an edit that another user overwrote, with both values, and none that was applied', async () => {
    const { sheet, server, saver } = open()
    sheet.syncState.own.me = 'mara'
    sheet.write('typing', [{ row: 1, place: rate, value: '0.5' }])
    await saver.save()
    theirs(server, 'de_2021', '"0.5"', '"0.7"')
    sheet.syncState.loadDrafts(server.list())
    const { own } = sheet.syncState
    const lost = { slug: 'de_2021', place: rate, mine: '0.5', theirs: '0.7', author: 'tom', discarded: false }
    expect(own.lostEdits).toEqual([lost])
    // Written again, it is no longer lost; applied, it is not lost either.
    sheet.write('take back', [{ row: 1, place: rate, value: '0.5000' }])
    await saver.save()
    expect(own.lostEdits).toEqual([])
    applied(server, 'de_2021')
    own.recordDiscard('de_2021', 'tom')
    sheet.rebase(new BaseRows(columnsFor(rates.map(withRate('de_2021', '0.5000')), 'two')))
    sheet.syncState.loadDrafts(server.list())
    expect([own.lostEdits, own.rows()]).toEqual([[], []])
  })

  it("reports what another user changed in a row of the user's own draft, and names the writer", async () => {
    const { sheet, server, saver } = open()
    sheet.syncState.own.me = 'mara'
    const end = to
    sheet.write('typing', [{ row: 1, place: end, value: '2026-12-31' }])
    await saver.save()
    theirs(server, 'de_2021', '"0.1900"', '"0.1950"')
    const id = 'config_entry/vat_rate.de_2021'
    const writers = ['mara', 'tom'].map((user) => ({ user, operator: null }))
    server.drafts.set(id, { ...server.drafts.get(id)!, writers })
    sheet.syncState.loadDrafts(server.list())
    const { own } = sheet.syncState
    expect(own.lostEdits).toEqual([
      { slug: 'de_2021', place: rate, mine: '0.1900', theirs: '0.1950', author: 'tom', discarded: false },
    ])
    expect(own.rows()).toContainEqual({
      slug: 'de_2021',
      cells: { [end]: '2026-12-31', [rate]: '0.1900' },
    })
    expect([sheet.syncState.otherWriters('de_2021'), sheet.syncState.otherWriters('de_2007')]).toEqual([
      ['tom'],
      [],
    ])
  })

  it('reports an edit whose draft another user discarded, even in the next window', async () => {
    const { sheet, server, saver } = open()
    sheet.write('typing', [{ row: 1, place: rate, value: '0.5' }])
    await saver.save()
    const next = open(rates, server)
    next.sheet.syncState.own.restore(parseOwnRows(serializeOwnRows(sheet.syncState.own.rows())))
    next.sheet.syncState.loadDrafts(server.list())
    server.drafts.clear()
    next.sheet.syncState.own.recordDiscard('de_2021', 'tom')
    next.sheet.syncState.loadDrafts(server.list())
    expect(next.sheet.syncState.own.lostEdits).toMatchObject([
      { mine: '0.5', theirs: '0.1900', discarded: true },
    ])
  })

  it('names the row that the server refuses, and keeps the others', async () => {
    const { sheet, server, saver } = open()
    const keep = server.keep
    server.keep = (batch) =>
      batch.some(({ id }) => id.endsWith('.de_2020'))
        ? Promise.reject(new ApiError(422, 'request.invalid', 'No such place.'))
        : keep(batch)
    const picky = new SheetSaver(sheet.syncState, { ...nothing, save: (batch) => server.keep(batch) })
    sheet.write(
      'paste',
      [0, 1, 2, 3].map((row) => ({ row, place: rate, value: '0.5' })),
    )
    await picky.save()
    expect([picky.state, [...picky.refused]]).toMatchObject([
      'refused',
      [['de_2020', { words: 'No such place.' }]],
    ])
    expect(server.drafts.size).toBe(3)
    expect(saver.state).toBe('kept')
  })

  it('matches the sheet after any sequence of steps, with saves in between', async () => {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('write' as const),
          at: fc.nat(8),
          cells: fc.array(
            fc.record({
              by: fc.nat(3),
              place: fc.constantFrom(rate, from, to, 'body/key'),
              value: fc.constantFrom('0.1900', '0.5', '19 %', '2021-01-01', 'DE', undefined),
            }),
            { minLength: 1, maxLength: 4 },
          ),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('add' as const),
          key: fc.constantFrom('DE', 'FR', undefined),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'discard' as const), at: fc.nat(8) }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constantFrom('keep' as const, 'keeping' as const, 'reread' as const) }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const first = open()
        const { server } = first
        let { sheet, saver } = first
        let closed = false
        const rowAt = (at: number): number => {
          const rows = [0, 1, 2, 3, ...sheet.addedRows()]
          return rows[at % rows.length]!
        }
        for (const each of steps) {
          switch (each.do) {
            case 'write':
              sheet.write(
                'typing',
                each.cells.map(({ by, place, value }) => ({ row: rowAt(each.at + by), place, value })),
              )
              break
            case 'add':
              sheet.add('new row', [newRowCells(columns, { 'body/key': each.key })])
              break
            case 'remove':
              sheet.remove('remove', [rowAt(each.at)])
              break
            case 'discard':
              sheet.discard('discard', [rowAt(each.at)])
              break
            case 'undo':
              sheet.undo()
              break
            case 'redo':
              sheet.redo()
              break
            case 'keep':
              await saver.save()
              break
            case 'keeping':
              // The following steps happen while the request is being sent.
              void saver.save()
              break
            case 'reread':
              sheet.syncState.loadDrafts(server.list())
              break
            case 'close':
              // The request arrives; its response does not.
              await Promise.resolve()
              ;({ sheet, saver } = after({ sheet, server }))
              closed = true
              break
          }
          for (const key of ['DE', 'FR', '0.5'])
            expect(sheet.rowsOfKey(key).toSorted()).toEqual(
              sheet
                .rowsOfKey(null)
                .filter((row) => sheet.value(row, 'body/key') === key)
                .toSorted(),
            )
        }
        await saver.save()
        expect([sheet.syncState.dirty.size, saver.conflicts.size]).toEqual([0, 0])
        expectKept(sheet, server)
        // A window that opens now shows the same.
        const fresh = sheetOf()
        fresh.syncState.loadDrafts(server.list())
        for (let row = 0; row < 4; row += 1)
          for (const place of places)
            if (sheet.isOpen(row)) expect(fresh.value(row, place)).toEqual(sheet.value(row, place))
        expect(
          fresh
            .addedRows()
            .map((row) => fresh.slugOf(row))
            .sort(),
        ).toEqual(
          sheet
            .addedRows()
            .map((row) => sheet.slugOf(row))
            .sort(),
        )
        if (closed) return
        // After all steps are undone, nothing is left.
        while (sheet.undo() !== null);
        await saver.save()
        expect([server.list(), sheet.edited.size, sheet.addedRows()]).toEqual([[], 0, []])
      }),
      { numRuns: 300 },
    )
  })
})
