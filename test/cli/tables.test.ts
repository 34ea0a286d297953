// Tables on the command line: a set exported as a spreadsheet, and a spreadsheet inspected and imported.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { everything } from '../support/small-org.ts'
import { almanac, scratch, writeComponents } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])

beforeAll(() => {
  expect(almanac(['init', org]).code).toBe(0)
  writeComponents(join(dir, 'files'), everything as { type: string; key: string }[])
  expect(at('apply', join(dir, 'files')).err).toBe('')
})

describe('a set', () => {
  it('is exported as a spreadsheet, by the extension of the file, and comes back unchanged', async () => {
    const file = join(dir, 'rates.xlsx')
    expect(at('export', 'vat_rate', '--out', file, '--json').json()).toMatchObject({
      format: 'xlsx',
      entries: 4,
    })
    expect((await readXlsx(readFileSync(file))).sheets[0]!.rows[0]).toEqual([
      'key',
      'scope',
      'from',
      'to',
      'rate',
      'label',
      'entry',
    ])
    const inspected = at('import', 'vat_rate', file, '--inspect', '--json').json()
    expect(inspected.questions).toEqual([])
    const again = at('import', 'vat_rate', file, '--map', JSON.stringify(inspected.map), '--json').json()
    expect(again).toMatchObject({ entries: 4, changes: [], findings: [] })
    expect(at('export', 'vat_rate', '--format', 'pdf').code).toBe(2)
  })
})

describe('a file', () => {
  it('is described with the choices that it leaves open, and nothing is stored', async () => {
    const file = join(dir, 'open.csv')
    writeFileSync(file, 'territory,from,rate\nDE,01/02/2030,0.2\n')
    const { out, code } = at('import', 'vat_rate', file, '--inspect')
    expect(code).toBe(0)
    expect(out).toContain('Which part is the day? (DD/MM/YYYY, MM/DD/YYYY)')
    expect(at('drafts', '--json').json()).toMatchObject({ drafts: [] })
    const book = join(dir, 'book.xlsx')
    writeFileSync(
      book,
      await writeXlsx({
        sheets: [
          {
            name: 'S',
            rows: [
              ['territory', 'from', 'rate'],
              ['PT', '2011-01-01', 0.23],
            ],
          },
        ],
      }),
    )
    const map = JSON.stringify({ key: 'territory', from: 'from', values: { rate: 'rate' } })
    expect(at('import', 'vat_rate', book, '--map', map, '--json').json()).toMatchObject({ entries: 1 })
  })

  it('is reported by its kind if it is not a table', () => {
    const file = join(dir, 'not.csv')
    writeFileSync(file, '%PDF-1.7')
    expect(at('import', 'vat_rate', file, '--inspect').err).toContain(
      'not.csv is not a table: it is a PDF document.',
    )
  })
})
