import { describe, expect, it } from 'vitest'
import type { FieldDescription, ObjectDescription } from '../../../api/records.ts'
import { columnProblems, guessColumns, memberColumns, targetsOf, type JobChoice } from './column-map.ts'

const field = (key: string, more: Partial<FieldDescription> = {}): FieldDescription => ({
  ...{ key, label: key, type: 'text', aliases: [], required: false, unique: false, sensitive: false },
  ...{ precision: null, scale: null, valueSet: null, values: null, labels: null, references: null },
  ...{ computed: null, hasDefault: false, editable: true, filling: false },
  ...more,
})
const objectOf = (key: string, label: string, fields: FieldDescription[]): ObjectDescription => ({
  ...{ key, label, aliases: [], rights: { create: true, read: true, update: true, delete: true } },
  ...{ remote: null, nameField: null, listViews: [], layouts: [], fields },
})
const region = objectOf('region', 'Region', [field('code', { label: 'Code', unique: true }), field('name')])
const contact = objectOf('contact', 'Contact', [
  field('code', { label: 'Code', required: true, unique: true }),
  field('name', { label: 'Name', required: true, aliases: ['full_name'] }),
  field('amount', { label: 'Amount', type: 'number', precision: 12, scale: 2 }),
  field('vip', { label: 'Very important', type: 'boolean' }),
  field('kind', { label: 'Kind', type: 'enum', values: ['a'], labels: { a: 'A', b: 'B' } }),
  field('region', { label: 'Region', type: 'reference', references: 'region' }),
  field('twice', { computed: 'stored_formula', editable: false }),
  field('locked', { editable: false }),
])
const referenced = new Map([['region', region]])
const choice = (more: Partial<JobChoice> = {}): JobChoice => ({
  ...{ object: contact, operation: 'upsert', externalId: 'code' },
  ...more,
})
const targets = targetsOf(choice(), referenced)
const namesOf = (of: JobChoice): string[] => targetsOf(of, referenced).map(({ name }) => name)

describe('what columns can be loaded into', () => {
  it('is every field that can be entered, and unique fields of referenced records', () => {
    expect(namesOf(choice())).toEqual(['code', 'name', 'amount', 'vip', 'kind', 'region', 'region.code'])
  })

  it('is the id where records are found by it', () => {
    expect(namesOf(choice({ operation: 'update', externalId: '' }))[0]).toBe('id')
    expect(namesOf(choice({ operation: 'delete' }))[0]).toBe('code')
    expect(namesOf(choice({ operation: 'insert', externalId: '' }))[0]).toBe('code')
  })
})

it.each<[string, string[], string[]]>([
  ['keys, labels and aliases', ['code', 'Full name', 'VERY-IMPORTANT'], ['code', 'name', 'vip']],
  ['a reference by a unique field', ['Region code', 'region.code'], ['region.code', '']],
  ['a reference by its id', ['Region'], ['region']],
  ['names that nothing has, and none', ['Fax', ''], ['', '']],
  ['a name that occurs twice once', ['name', 'Name'], ['name', '']],
])('guesses %s', (_name, columns, expected) => {
  expect(guessColumns(columns, targets)).toEqual(expected)
})

it('keeps members of JSON Lines as they are named', () => {
  expect(memberColumns(['code', 'full_name', 'Name', 'twice'], targets)).toEqual([
    'code',
    'full_name',
    '',
    '',
  ])
})

describe('problems', () => {
  const problemsOf = (columns: string[], map: string[], cells: string[][] = [], of = choice()): string[] =>
    columnProblems(
      of,
      { format: 'csv', columns, map, rows: cells.map((row, at) => ({ line: at + 2, cells: row })) },
      targetsOf(of, referenced),
    ).map(({ column, message, isWarning }) => `${column ?? '-'}${isWarning ? '?' : '!'} ${message}`)

  it.each<[string, string[], string[], string[][], string[]]>([
    ['of nothing', ['code', 'name'], ['code', 'name'], [['C-1', 'Ada']], []],
    [
      'of a field that is loaded twice, also through a reference',
      ['code', 'name', 'Region', 'Region code'],
      ['code', 'name', 'region', 'region.code'],
      [],
      ['3! “Region” is loaded into the same field.'],
    ],
    [
      'of a missing external ID and required field',
      ['Amount'],
      ['amount'],
      [],
      [
        '-! Choose the column with the external ID, code.',
        '-? New records need Code and Name, which no column has: rows for new records fail.',
      ],
    ],
    [
      'of cells that do not fit, by their lines',
      ['code', 'name', 'Amount', 'VIP', 'Kind'],
      ['code', 'name', 'amount', 'vip', 'kind'],
      [
        ['C-1', 'Ada', '', '', ''],
        ['C-2', 'Bo', '1,5', 'yes', 'c'],
      ],
      [
        '2? Line 3: “1,5”: Use a decimal point instead of a comma: write 1.5.',
        '3? Line 3: “yes” is not true or false.',
        '4? Line 3: “c” is not a value of Kind.',
      ],
    ],
    [
      'of a row with a different number of cells',
      ['code', 'name'],
      ['code', 'name'],
      [['C-1']],
      ['-? Line 2 has 1 cell, but there are 2 columns. Such a row fails.'],
    ],
  ])('%s', (_name, columns, map, cells, expected) => {
    expect(problemsOf(columns, map, cells)).toEqual(expected)
  })

  it('of no column, and of no id', () => {
    expect(problemsOf(['Fax'], [''], [], choice({ operation: 'update', externalId: '' }))).toEqual([
      '-! No column is loaded. Choose a field for at least one.',
      '-! Choose the column with the ids of the records, or an external ID.',
    ])
  })
})
