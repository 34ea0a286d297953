// Saves of cells against a record store that keeps versions: their order, refusals, and changes of others.
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { FieldDescription, RecordJson, RecordValue } from '../../../api/records.ts'
import { ApiError } from '../../../api/request.ts'
import type { GridColumn } from '../grid-columns.ts'
import { useRecordEdits } from '../record-edits.ts'
import { createCellSaver } from './cell-saver.ts'
import { useCellSaves } from './cell-saves.ts'

const path = '/records/order/1'
const columnOf = (key: string, computed: FieldDescription['computed'] = null): GridColumn => ({
  name: key,
  label: key.toUpperCase(),
  field: { key, label: key.toUpperCase(), computed, references: null, type: 'text' } as FieldDescription,
  along: null,
  sortable: true,
})

/** A server with one record, whose `total` others change without notice. `net` is refused below 0. */
function setUp() {
  const stored = { version: 1, net: '1' as RecordValue, note: null as RecordValue, total: '0' }
  const json = (): RecordJson => {
    const { version, ...fields } = stored
    return { id: '1', object: 'order', version, fields }
  }
  const sent: { version: RecordJson['version']; values: object }[] = []
  let shown: RecordJson | undefined = json()
  let gate: Promise<void> = Promise.resolve()
  let losesNext = false
  let isDown = false
  let reconnect = (): void => undefined
  let refusal: ApiError | null = null
  const saver = createCellSaver({
    grid: () => ({
      object: 'order',
      columns: [columnOf('net'), columnOf('note'), columnOf('total', 'roll_up')],
    }),
    shown: () => shown,
    show: (record) => (shown &&= record),
    async update(_, { version }, values) {
      sent.push({ version, values })
      await gate
      if (isDown) throw new ApiError(0, 'studio.unreachable', 'The server is not responding.')
      if (refusal !== null) throw refusal
      if (version !== stored.version)
        throw new ApiError(412, 'conflict.stale_version', 'The version is stale.')
      if (String(values.net ?? '').startsWith('-'))
        throw new ApiError(422, 'record.invalid', 'The record is not valid.', [
          { field: 'net', message: 'The net amount is negative.' },
        ])
      Object.assign(stored, values, { version: stored.version + 1 })
      if (losesNext) {
        losesNext = false
        throw new ApiError(0, 'studio.unreachable', 'The server is not responding.')
      }
      return json()
    },
    async read() {
      if (isDown) throw new ApiError(0, 'studio.unreachable', 'The server is not responding.')
      return json()
    },
    lastWriter: async () => 'anna',
    onSaved: () => undefined,
    onReconnect: (listener) => {
      reconnect = listener
      return () => undefined
    },
  })
  const changeElsewhere = (values: Partial<typeof stored>): unknown =>
    Object.assign(stored, values, { version: stored.version + 1 })
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    return resolve
  }
  const refuse = (error: ApiError): unknown => (refusal = error)
  const loseNext = (): unknown => (losesNext = true)
  return {
    saver,
    sent,
    stored,
    changeElsewhere,
    hold,
    loseNext,
    refuse,
    setDown: (down: boolean): unknown => (isDown = down),
    reconnect: (): void => reconnect(),
    leave: () => (shown = undefined),
    shown: () => shown,
  }
}

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
  setActivePinia(createPinia())
})

describe('the saves of a record', () => {
  it('follow each other, each with the version of the one before', async () => {
    const { saver, sent, shown } = setUp()
    await Promise.all([
      saver.write('1', { net: { value: '5' } }),
      saver.write('1', { note: { value: 'a' } }),
      saver.write('1', { net: { value: '6' } }),
    ])
    expect(sent).toEqual([
      { version: 1, values: { net: '5' } },
      { version: 2, values: { note: 'a' } },
      { version: 3, values: { net: '6' } },
    ])
    expect(shown()).toMatchObject({ version: 4, fields: { net: '6', note: 'a' } })
    expect(useRecordEdits().of(path)).toEqual({})
    expect(useCellSaves().of(path, 'net')).toBeUndefined()
  })

  it('of a record that was deleted, or whose evidence is archived, are refused in the words of the grid', async () => {
    const { saver, refuse } = setUp()
    const message = async (): Promise<unknown> => {
      await saver.write('1', { net: { value: '5' } })
      return useCellSaves().of(path, 'net')
    }
    refuse(new ApiError(404, 'record.not_found', 'order has no record 1.'))
    expect(await message()).toMatchObject({
      message: 'The record was deleted, or you can no longer see it.',
    })
    const details = [{ field: 'net', archived: 'total', dates: [] }]
    refuse(new ApiError(409, 'record.archived', 'order.net was read by order.total.', details))
    expect(await message()).toMatchObject({
      message:
        'NET cannot be changed, because the evidence of TOTAL is archived. Recompute the record first.',
    })
  })

  it('of a value that was typed elsewhere are never over one that others have stored since, unless the user chooses it', async () => {
    const { saver, sent, stored, changeElsewhere, leave } = setUp()
    useRecordEdits().set(path, 'note', 'mine', null)
    changeElsewhere({ note: 'theirs' })
    leave()
    await saver.retry('1')
    expect(sent).toEqual([])
    expect(useCellSaves().of(path, 'note')).toMatchObject({
      state: 'conflict',
      before: null,
      theirs: 'theirs',
      by: 'anna',
    })
    changeElsewhere({ note: 'theirs again' })
    await saver.retry('1')
    expect(useCellSaves().of(path, 'note')).toMatchObject({ before: 'theirs', theirs: 'theirs again' })
    expect(stored.note).toBe('theirs again')
    await saver.retry('1')
    expect(stored.note).toBe('mine')
  })

  it('keep what is typed while one is on its way, also the value that was stored before', async () => {
    const { saver, sent, stored, hold } = setUp()
    const release = hold()
    const first = saver.write('1', { net: { value: '5' } })
    const second = saver.write('1', { net: { value: '1' } })
    expect(useRecordEdits().of(path)).toEqual({ net: '1' })
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    const releaseSecond = hold()
    release()
    await first
    expect(stored.net).toBe('5')
    expect(useRecordEdits().of(path)).toEqual({ net: '1' })
    expect(useCellSaves().of(path, 'net')).toMatchObject({ state: 'saving' })
    releaseSecond()
    await second
    expect(stored).toMatchObject({ net: '1', version: 3 })
    expect(useRecordEdits().of(path)).toEqual({})
  })

  it('find what they stored although their response was lost', async () => {
    const { saver, stored, loseNext } = setUp()
    loseNext()
    await saver.write('1', { net: { value: '5' } })
    expect(useCellSaves().of(path, 'net')).toMatchObject({ state: 'refused' })
    await saver.retry('1')
    expect(stored).toMatchObject({ net: '5', version: 2 })
    expect(useCellSaves().of(path, 'net')).toBeUndefined()
    expect(useRecordEdits().of(path)).toEqual({})
  })

  it('continue after the grid shows a different page', async () => {
    const { saver, stored, hold, leave } = setUp()
    const release = hold()
    const first = saver.write('1', { net: { value: '5' } })
    const second = saver.write('1', { note: { value: 'b' } })
    leave()
    release()
    await Promise.all([first, second])
    expect(stored).toMatchObject({ net: '5', note: 'b' })
  })

  it('are repeated when the server responds again, unless others have changed the value', async () => {
    const { saver, stored, setDown, reconnect, changeElsewhere } = setUp()
    setDown(true)
    await saver.write('1', { net: { value: '5' }, note: { value: 'a' } })
    expect(useCellSaves().of(path, 'net')).toMatchObject({
      state: 'refused',
      message: 'The server is not responding. It is saved when the server responds again.',
    })
    reconnect()
    await new Promise((later) => setTimeout(later))
    expect(useCellSaves().of(path, 'net')).toMatchObject({ state: 'refused' })
    saver.discard('1', 'note')
    setDown(false)
    reconnect()
    await vi.waitFor(() => expect(stored).toMatchObject({ net: '5', note: null }))
    expect(useRecordEdits().of(path)).toEqual({})

    setDown(true)
    await saver.write('1', { net: { value: '6' } })
    changeElsewhere({ net: '7' })
    setDown(false)
    reconnect()
    await vi.waitFor(() =>
      expect(useCellSaves().of(path, 'net')).toMatchObject({ state: 'conflict', theirs: '7' }),
    )
    expect(stored.net).toBe('7')
  })

  it('are not sent if the value is the stored one', async () => {
    const { saver, sent } = setUp()
    await saver.write('1', { net: { value: '1' } })
    expect(sent).toEqual([])
    expect(useRecordEdits().of(path)).toEqual({})
  })
})

describe('a refused save', () => {
  it('keeps the value with the message of its field, until it is saved or discarded', async () => {
    const { saver, stored } = setUp()
    await saver.write('1', { net: { value: '-5' } })
    expect(useRecordEdits().of(path)).toEqual({ net: '-5' })
    expect(useCellSaves().of(path, 'net')).toMatchObject({
      state: 'refused',
      message: 'The net amount is negative.',
    })
    await saver.write('1', { net: { value: '1' } })
    expect(useCellSaves().of(path, 'net')).toBeUndefined()
    await saver.write('1', { net: { value: '-6' } })
    saver.discard('1', 'net')
    expect(useRecordEdits().of(path)).toEqual({})
    expect(stored.version).toBe(1)
  })
})

describe('a record that was changed in the meantime', () => {
  it('is saved again if only computed values changed', async () => {
    const { saver, stored, changeElsewhere } = setUp()
    changeElsewhere({ total: '99' })
    await saver.write('1', { net: { value: '5' } })
    expect(stored).toMatchObject({ net: '5', total: '99', version: 3 })
  })

  it('is not overwritten if an entered value changed, and shows both until one is chosen', async () => {
    const { saver, stored, shown, changeElsewhere } = setUp()
    changeElsewhere({ net: '7', note: 'c' })
    await saver.write('1', { net: { value: '5' } })
    expect(stored.net).toBe('7')
    expect(useCellSaves().of(path, 'net')).toEqual({
      ...{ state: 'conflict', by: 'anna', before: '1', theirs: '7', theirName: '7', display: undefined },
      others: ['NOTE'],
    })
    expect(shown()!.fields.note).toBe('c')
    await saver.retry('1')
    expect(stored).toMatchObject({ net: '5', note: 'c' })
  })
})

describe('an earlier value', () => {
  const over = (value: RecordValue) => (): RecordValue => value

  it('is restored after the saves on their way, over the value that they stored', async () => {
    const { saver, sent, stored, hold } = setUp()
    const release = hold()
    const typed: { value: RecordValue } = { value: '5.0' }
    const first = saver.write('1', { net: typed }).then((saved) => (typed.value = saved!.net!))
    const second = saver.restore('1', { net: { value: '1', over: () => typed.value } })
    expect(useRecordEdits().of(path)).toEqual({ net: '1' })
    release()
    await first
    expect(await second).toEqual({ saved: { net: '1' }, changed: [] })
    expect(sent.map(({ values }) => values)).toEqual([{ net: '5.0' }, { net: '1' }])
    expect(stored).toMatchObject({ net: '1', version: 3 })
    expect(useRecordEdits().of(path)).toEqual({})
  })

  it('is not written over a value of another user, whose name is returned', async () => {
    const { saver, sent, stored, shown, changeElsewhere } = setUp()
    changeElsewhere({ net: '7', note: 'theirs' })
    const outcome = await saver.restore('1', {
      net: { value: '0', over: over('1') },
      note: { value: 'mine', over: over('theirs') },
    })
    expect(outcome).toEqual({ saved: { note: 'mine' }, changed: [{ label: 'NET', by: 'anna' }] })
    expect(sent.map(({ values }) => values)).toEqual([{ note: 'mine' }])
    expect(stored).toMatchObject({ net: '7', note: 'mine' })
    expect(shown()).toMatchObject({ fields: { net: '7', note: 'mine' } })
    expect(useRecordEdits().of(path)).toEqual({})
    expect(useCellSaves().of(path, 'net')).toBeUndefined()
  })

  it('is restored if only other fields changed in the meantime', async () => {
    const { saver, stored, changeElsewhere } = setUp()
    changeElsewhere({ note: 'theirs' })
    await saver.restore('1', { net: { value: '0', over: over('1') } })
    expect(stored).toMatchObject({ net: '0', note: 'theirs' })
  })

  it('is not sent if it is stored already', async () => {
    const { saver, sent } = setUp()
    await saver.restore('1', { net: { value: '1', over: over('9') } })
    expect(sent).toEqual([])
    expect(useRecordEdits().of(path)).toEqual({})
  })

  it('stays with its reason if the server refuses it', async () => {
    const { saver } = setUp()
    expect(await saver.restore('1', { net: { value: '-1', over: over('1') } })).toEqual({
      ...{ saved: null, changed: [] },
    })
    expect(useRecordEdits().of(path)).toEqual({ net: '-1' })
    expect(useCellSaves().of(path, 'net')).toMatchObject({ state: 'refused' })
  })
})
