// A small sheet for tests: rates by territory, dated, with ranks.
import { dayOf, parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { EntryColumns } from '../../../api/sheet.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import { BaseRows } from './base-rows.ts'
import type { CellContext } from './cell-text.ts'
import { columnsOf, placeOf } from './columns.ts'
import { Sheet } from './sheet.ts'

export const entrySet: EntrySet = {
  key: 'vat_rate',
  kind: 'config_set',
  scopes: ['permission_set', 'app', 'org'],
  dated: true,
  keyedBy: { key: 'territory', type: 'text' },
  fields: [
    { key: 'rate', type: 'number', label: 'Rate', help: '', required: true, precision: 6, scale: 4 },
    { key: 'currency', type: 'enum', label: 'Currency', help: '', required: false, valueSet: 'currency' },
    { key: 'reduced', type: 'boolean', label: 'Reduced', help: '', required: false },
    { key: 'decided', type: 'date', label: 'Decided', help: '', required: false },
    { key: 'note', type: 'text', label: 'Note', help: '', required: false },
  ],
}

export const columns = columnsOf(entrySet)
export const places = [...new Set(columns.map(placeOf))]
export const column = (id: string) => columns.find((each) => each.id === id)!

const currency = {
  type: 'value_set' as const,
  key: 'currency',
  label: 'Currency',
  body: {
    values: [
      { key: 'EUR', label: 'Euro', active: true },
      { key: 'HRK', label: 'Kuna', active: true },
    ],
  },
}
export const context: CellContext = {
  valueSet: (key) => (key === 'currency' ? currency : undefined),
  scopes: entrySet.scopes,
}

export type Row = readonly [slug: string, key: string, from: string, to: string | null, rate: string]

export const rates: readonly Row[] = [
  ['at_1995', 'AT', '1995-01-01', null, '0.2000'],
  ['de_2021', 'DE', '2021-01-01', null, '0.1900'],
  ['de_2020', 'DE', '2020-07-01', '2021-01-01', '0.1600'],
  ['de_2007', 'DE', '2007-01-01', '2020-07-01', '0.1900'],
]

const day = (text: string): number => dayOf(parseCivilDate(text)!)

export function columnsFor(rows: readonly Row[], digest = 'one'): EntryColumns {
  const keys = [...new Set(rows.map(([, key]) => key))]
  const none = rows.map(() => null)
  return {
    digest,
    rows: rows.length,
    slugs: rows.map(([slug]) => slug),
    keys,
    keyOf: rows.map(([, key]) => keys.indexOf(key)),
    scopes: [{ kind: 'org' }],
    scopeOf: rows.map(() => 0),
    from: rows.map(([, , from]) => day(from)),
    to: rows.map(([, , , to]) => (to === null ? null : day(to))),
    priority: [...none],
    values: {
      rate: rows.map(([, , , , rate]) => rate),
      currency: rows.map(() => 'EUR'),
      reduced: [...none],
      decided: [...none],
      note: [...none],
    },
  }
}

export function sheetOf(rows: readonly Row[] = rates): Sheet {
  const sheet = new Sheet('vat_rate', places)
  sheet.rebase(new BaseRows(columnsFor(rows)))
  return sheet
}
