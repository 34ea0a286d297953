// A source over rows: matches, their order, and pages.
import { describe, expect, it } from 'vitest'
import type { LookupPage, LookupRequest } from '../lookup-field/types.ts'
import { arraySource } from './array-source.ts'

const rows = [
  { id: '1', name: 'Metallbau Kessler', city: 'Bremen' },
  { id: '2', name: 'Tallinn Paber OÜ', city: 'Tallinn' },
  { id: '3', name: 'Paber Tal', city: 'Võru' },
  { id: '4', name: 'Tal', city: 'Oulu' },
  { id: '5', name: 'Äkäslompolo', city: 'Talgarth' },
]
const { signal } = new AbortController()
const request = (more: Partial<LookupRequest> = {}): LookupRequest => ({
  matchFields: [],
  displayFields: [],
  signal,
  ...more,
})
const ids = (page: unknown): string[] => (page as LookupPage).options.map(({ value }) => value)

describe('arraySource', () => {
  const source = arraySource(rows, { value: 'id', label: 'name', match: ['name', 'city'] })

  it.each([
    ['', ['1', '2', '3', '4', '5']],
    ['tal', ['4', '2', '3', '5', '1']],
    ['TAL paber', ['2', '3']],
    ['aka', ['5']],
    ['voru', ['3']],
    ['zzq', []],
  ])('for %j finds %j, the name itself first, then its beginning, a word, a part', (query, found) => {
    expect(ids(source(query, request()))).toEqual(found)
  })

  it('finds a name whose accents are separate characters, and by such a query', () => {
    const apart = arraySource([{ id: '1', name: 'E\u0301lodie' }], { value: 'id', label: 'name' })
    for (const query of ['elo', 'élo', 'E\u0301LO']) expect(ids(apart(query, request()))).toEqual(['1'])
  })

  it('matches the fields that the element names, and no others', () => {
    expect(ids(source('tal', request({ matchFields: ['city'] })))).toEqual(['2', '5'])
  })

  it('matches the fields that it was created with, without the name', () => {
    const own = arraySource(rows, { value: 'id', label: 'name', match: ['city'] })
    expect(ids(own('tal', request()))).toEqual(['2', '5'])
  })

  it.each([
    ['Bjørn', 'bjorn'],
    ['Łódź', 'lodz'],
    ['Đorđe', 'dorde'],
    ['Straße', 'strasse'],
    ['Strasse', 'straße'],
    ['Ægir', 'aegir'],
  ])('finds %s by %s', (name, query) => {
    expect(ids(arraySource([{ id: '1', name }], { value: 'id', label: 'name' })(query, request()))).toEqual([
      '1',
    ])
  })

  it('reads rows again after they were replaced', () => {
    const own = [...rows]
    const changing = arraySource(own, { value: 'id', label: 'name' })
    changing('tal', request())
    own[0] = { id: '7', name: 'Quast', city: '' }
    expect(ids(changing('quast', request()))).toEqual(['7'])
  })

  it('does not offer to create a name that exists, for any matched fields', () => {
    const create = { label: (query: string) => `Create ${query}`, make: () => null }
    const own = arraySource(rows, { value: 'id', label: 'name', create })
    expect(ids(own('paber tal', request({ matchFields: ['city'] })))).toEqual([])
  })

  it('returns page after page, with the total', () => {
    const paged = arraySource(() => rows, { value: 'id', label: ({ name }) => name, page: 2 })
    const first = paged('', request()) as LookupPage
    expect([ids(first), first.total]).toEqual([['1', '2'], 5])
    const second = paged('', request({ cursor: first.next })) as LookupPage
    expect(ids(second)).toEqual(['3', '4'])
    const last = paged('', request({ cursor: second.next })) as LookupPage
    expect([ids(last), last.next]).toEqual([['5'], null])
  })

  it('offers recent choices, and a new one if no row has the name', () => {
    const own = arraySource(rows, {
      value: 'id',
      label: 'name',
      recent: { caption: 'Recent', options: () => [{ value: '4', label: 'Tal' }] },
      create: { label: (query) => `Create “${query}”`, make: (query) => ({ value: '9', label: query }) },
    })
    expect((own('', request()) as LookupPage).options[0]).toMatchObject({ value: '4', group: 'Recent' })
    expect((own('tall', request()) as LookupPage).options.at(-1)).toMatchObject({ label: 'Create “tall”' })
    expect((own('tal', request()) as LookupPage).options.at(-1)).toMatchObject({ value: '1' })
  })

  it('passes the signal on to the function that creates a row', async () => {
    const args: unknown[] = []
    const make = (query: string, signal: AbortSignal): null => {
      args.push(query, signal)
      return null
    }
    const own = arraySource(rows, { value: 'id', label: 'name', create: { label: (query) => query, make } })
    const { signal } = new AbortController()
    await (own(' zed ', request()) as LookupPage).options.at(-1)!.make!(signal)
    expect(args).toEqual(['zed', signal])
  })

  it('finds a row by its id, even if ids are numbers', () => {
    const own = arraySource([{ id: 7, name: 'Seven' }], { value: 'id', label: 'name' })
    const { signal } = new AbortController()
    expect(own.resolve!('7', { signal })).toMatchObject({ value: '7', label: 'Seven' })
    expect(own.resolve!('8', { signal }) ?? null).toBeNull()
  })
})
