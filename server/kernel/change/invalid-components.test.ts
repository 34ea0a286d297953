import { describe, expect, it } from 'vitest'
import { MemoryView } from '../components/memory-view.ts'
import { parseComponent } from '../components/parse.ts'
import { date, principals } from '../components/rule-fixture.ts'
import { buildCandidate } from './candidate.ts'
import { validateCandidate } from './validate.ts'

const set = (body: object) => ({ type: 'config_set', key: 'vat', label: 'VAT', body })
const rate = { key: 'rate', type: 'number', precision: 6, scale: 4 }
const secret = { key: 'pin', type: 'secret' }

/** All findings on components, some of which do not match their schema. */
function findingTexts(...given: object[]): string[] {
  const parsed = given.map((json) => parseComponent(json))
  const unsound = parsed.flatMap((each) => each.invalidComponent ?? [])
  const candidate = buildCandidate(new MemoryView([]), { components: [] })
  const context = { today: date('2026-11-01'), principals, invalidComponents: structuredClone(unsound) }
  const { findings } = validateCandidate(candidate, new MemoryView([]), context)
  return [...parsed.flatMap((each) => each.findings), ...findings].map(({ code, path }) => `${code} ${path}`)
}

describe('a component that does not match its schema', () => {
  it('gets findings for all other faults, with their places', () => {
    const fields = [
      secret,
      { ...rate, scale: 9 },
      { key: 'kind', type: 'enum' },
      { key: 'sort', type: 'enum', valueSet: 'nowhere' },
      rate,
    ]
    const body = { cardinality: 'singleton', scopes: ['user'], effectiveDated: true, fields }
    expect(findingTexts(set(body)).sort()).toEqual(
      [
        'config.secret_type /body/fields/0/type',
        'config.org_scope_missing /body/scopes',
        'config.as_of_required /body/asOfField',
        'config.field_shape /body/fields/1/scale',
        'config.field_shape /body/fields/2/valueSet',
        'reference.unknown /body/fields/3/valueSet',
        'key.duplicate_item /body/fields/4/key',
      ].sort(),
    )
  })

  it.each([
    ['dating', { effectiveDated: 'yes', asOfField: 'invoice.day' }, ['body.type /body/effectiveDated']],
    ['cardinality', { cardinality: 'many', keyedBy: rate.key }, ['body.value', 'body.type']],
    ['scopes', { scopes: ['ogr'] }, ['body.value /body/scopes/0']],
  ])('gets no finding that only results from %s', (_, more, expected) => {
    const found = findingTexts(set({ cardinality: 'singleton', fields: [rate], ...more }))
    const own = found.filter((each) => !each.startsWith('config.as_of_field'))
    expect(own).toEqual(expected.map((each) => expect.stringContaining(each) as string))
  })

  it('names another one that could not be read either', () => {
    const kind = { type: 'value_set', key: 'kind', label: 'Kind', body: { values: 'none' } }
    const fields = [secret, { key: 'kind', type: 'enum', valueSet: 'kind' }]
    expect(findingTexts(set({ cardinality: 'singleton', fields }), kind)).toEqual([
      'config.secret_type /body/fields/0/type',
      'body.type /body/values',
    ])
  })
})
