import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../api/wire.ts'
import { findingsOfRow, type RowFindingDeps } from './row-findings.ts'
import { createRowView } from './row-view.ts'
import { columns, context, sheetOf } from './sheet-fixture.ts'
import type { Sheet } from './sheet.ts'

/** The row of Germany from 2021 on. */
const row = 1

const finding = (code: string, path: string, facts: Finding['facts'] = {}): Finding => ({
  ...{ severity: 'error', code, component: 'config_entry/vat_rate.de_2021', path },
  ...{ message: `The server reports ${code}.`, related: [], facts },
})

function depsOf(sheet: Sheet, reported: Finding[], more: Partial<RowFindingDeps> = {}): RowFindingDeps {
  const bySlug = new Map([['de_2021', reported]])
  return {
    ...{ sheet, columns, context, reported: bySlug, rangeFindings: new Map(), unsavedReason: () => null },
    ...more,
  }
}

function noteOf(deps: RowFindingDeps, past: { from: number; to: number }[] = []): string {
  const findings = (each: number): Finding[] => findingsOfRow(deps, each)
  const view = { ...deps, findings, past: () => past, label: () => '' }
  return createRowView(view as unknown as Parameters<typeof createRowView>[0], row).note
}

const codesOf = (deps: RowFindingDeps): string[] => findingsOfRow(deps, row).map(({ code }) => code)

describe('the findings of a row', () => {
  it.each([
    ['body/values/rate', '1.5 %', 'config.value_type', '/body/values/rate'],
    ['body/scope', { kind: 'locale', locale: 'de' }, 'config.scope_not_declared', '/body/scope/kind'],
    ['body/key', null, 'config.key_missing', '/body'],
    ['body/effectiveFrom', null, 'config.dates_required', '/body'],
  ])('count a fault of %s once, although the server words it differently', (place, value, code, path) => {
    const sheet = sheetOf()
    sheet.write('typed', [{ row, place, value }])
    expect(codesOf(depsOf(sheet, []))).toEqual(['sheet.cell'])
    expect(codesOf(depsOf(sheet, [finding(code, path)]))).toEqual([code])
  })

  it('include the faults that the server has not reported', () => {
    const sheet = sheetOf()
    sheet.write('typed', [
      { row, place: 'body/values/rate', value: 'much' },
      { row, place: 'body/values/decided', value: 'soon' },
    ])
    const deps = depsOf(sheet, [finding('config.value_type', '/body/values/rate')])
    expect(codesOf(deps)).toEqual(['config.value_type', 'sheet.cell'])
    expect(noteOf(deps)).toBe('2 findings')
  })

  it('do not include the days before today that a draft changes', () => {
    const sheet = sheetOf()
    sheet.write('typed', [{ row, place: 'body/values/rate', value: '0.1800' }])
    const deps = depsOf(sheet, [finding('config.range_gap', '/body/effectiveTo')])
    expect(noteOf(deps, [{ from: 1, to: 9 }])).toBe('gap follows')
  })

  it('include gaps of unsaved edits until the server reports the same days', () => {
    const gap = finding('config.range_gap', '/body/effectiveTo', { from: '2026-01-01' })
    const rangeFindings = new Map([['de_2021', [gap]]])
    expect(findingsOfRow(depsOf(sheetOf(), [], { rangeFindings }), row)).toEqual([gap])
    expect(findingsOfRow(depsOf(sheetOf(), [{ ...gap }], { rangeFindings }), row)).toHaveLength(1)
  })

  it.each([
    ['sheet.conflict', 'overtaken'],
    ['sheet.refused', 'not saved'],
  ] as const)('include %s, with its own note', (code, note) => {
    const deps = depsOf(sheetOf(), [], { unsavedReason: () => ({ code, message: 'Why it is not saved.' }) })
    expect(findingsOfRow(deps, row)).toMatchObject([
      { code, component: 'config_entry/vat_rate.de_2021', message: 'Why it is not saved.' },
    ])
    expect(noteOf(deps)).toBe(note)
  })
})
