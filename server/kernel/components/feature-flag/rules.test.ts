import { describe, expect, it } from 'vitest'
import { component, findingsOf, codesWithPaths } from '../rule-fixture.ts'

const body = { owner: { user: 'mara' }, expiresOn: '2026-12-31', rationale: 'On trial.', default: false }
const flag = (change: object = {}) => component('feature_flag/fresh', { ...body, ...change })
const past = { expiresOn: '2026-05-31' }

describe('a feature flag', () => {
  const cases: [string, object, string[]][] = [
    ['with a live user', {}, []],
    ['with a live group', { owner: 'group:tax' }, []],
    ['with an unknown user', { owner: { user: 'marra' } }, ['flag.owner /body/owner/user']],
    ['with an inactive user', { owner: { user: 'old' } }, ['flag.owner /body/owner/user']],
    ['with an unknown group', { owner: { group: 'taxes' } }, ['flag.owner /body/owner/group']],
    ['without org', { scopes: ['user'] }, ['config.org_scope_missing /body/scopes']],
    ['that is past its expiry', past, ['flag.expired /body/expiresOn']],
  ]
  it.each(cases)('%s', (_name, change, expected) =>
    expect(codesWithPaths(findingsOf(flag(change)))).toEqual(expected),
  )

  it('is named in the message, with the nearest principal', () => {
    const [finding] = findingsOf(flag({ owner: { user: 'marra' } }))
    expect(finding?.message).toContain('the flag fresh')
    expect(finding?.message).toContain('Did you mean "mara"?')
  })
})

describe('a flag over time', () => {
  const after = (change: object, before: object, today = '2026-06-01') =>
    codesWithPaths(findingsOf(flag(change), { base: [flag(before)], today })).filter(
      (code) => !code.startsWith('flag.expired'),
    )
  const cases: [string, object, object, string[]][] = [
    ['is unchanged', past, past, []],
    ['changes its default while active', { default: true }, {}, []],
    ['changes its default while frozen', { ...past, default: true }, past, ['flag.frozen /body/default']],
    ['changes its label-like rationale while frozen', { ...past, rationale: 'Soon gone.' }, past, []],
    ['is extended without a new rationale', {}, past, ['flag.rationale /body/rationale']],
    ['is extended with an empty rationale', { rationale: ' ' }, past, ['flag.rationale /body/rationale']],
    ['is extended with a new rationale', { rationale: 'Two more offices.' }, past, []],
    [
      'is extended while active, without a new rationale',
      { expiresOn: '2027-12-31' },
      {},
      ['flag.rationale /body/rationale'],
    ],
    [
      'is extended with the same rationale, spaced differently',
      { rationale: ' On trial. ' },
      past,
      ['flag.rationale /body/rationale'],
    ],
    ['is extended and changed at once', { rationale: 'Two more offices.', default: true }, past, []],
    ['is shortened', { expiresOn: '2026-07-01' }, {}, []],
  ]
  it.each(cases)('%s', (_name, change, before, expected) => expect(after(change, before)).toEqual(expected))

  it('cannot be extended with a rationale that it ever had before', () => {
    const org = { base: [flag(past)], formerRationales: ['The first reason.', 'On trial.'] }
    const rationaleFindings = (rationale: string) =>
      findingsOf(flag({ rationale }), org).filter(({ code }) => code === 'flag.rationale')
    expect(rationaleFindings('The first reason.')[0]?.message).toContain('the flag had this one before')
    expect(rationaleFindings('On trial.')[0]?.message).not.toContain('before')
    expect(rationaleFindings('The second reason.')).toEqual([])
  })
  it('is active on its last day and frozen on the next', () => {
    expect(after({ ...past, default: true }, past, '2026-05-31')).toEqual([])
    expect(after({ ...past, default: true }, past, '2026-06-01')).toEqual(['flag.frozen /body/default'])
  })
  it('can be added when already expired', () => {
    expect(findingsOf(flag({ ...past, default: true })).map(({ severity }) => severity)).toEqual(['warning'])
  })
})
