// Each refusal of the specification, on every target. A refusal changes nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '#kernel/errors/finding.ts'
import { calc, flag, ground, plainRow, range } from './ground.ts'
import type { SpecOrg } from './target.ts'
import { targets } from './targets.ts'
import { storableCases, validateCases } from './validate.table.ts'

describe.each(targets)('validate over $name', (target) => {
  let org: SpecOrg
  let generation: number
  beforeAll(async () => {
    org = await target.start()
    expect(await org.apply({ components: ground })).toMatchObject({ ok: true })
    generation = await org.activeGeneration()
  })
  afterAll(() => org.close())

  it.each(validateCases)('refuses $name ($section)', async ({ request, finding }) => {
    const outcome = await org.apply(request)
    expect(outcome.ok).toBe(false)
    const findings = (outcome.ok ? outcome.findings : outcome.details) as Finding[]
    const errors = findings
      .filter(({ severity }) => severity === 'error')
      .map(({ code, component }) => ({ code, component }))
    expect(errors).toContainEqual({ code: finding.code, component: finding.component })
    const match = findings.find(
      ({ code, component }) => code === finding.code && component === finding.component,
    )!
    const words = [match.message, match.component, ...match.related.map(({ component }) => component)].join(
      '\n',
    )
    for (const name of finding.names) expect(words).toContain(name)
    expect(await org.activeGeneration()).toBe(generation)
  })
})

describe.each(targets)('validate over $name accepts', (target) => {
  it.each<[string, readonly object[]]>([
    [
      'an extension of an expired flag with a fresh rationale',
      [
        flag('old', {
          scopes: ['environment', 'org'],
          expiresOn: '2099-01-31',
          rationale: 'Still rolling out.',
          default: true,
        }),
      ],
    ],
    [
      'a next range that closes the one before',
      [range('de_2', '2021-01-01', '2099-01-01'), range('de_3', '2099-01-01', null)],
    ],
    [
      'a narrower scope that ends',
      [
        range('c', '2021-01-01', '2022-01-01', {
          scope: { kind: 'permission_set', permissionSet: 'clerks' },
          priority: 1,
        }),
      ],
    ],
    ['values in a different spelling of the same number', [plainRow({ rate: '0.2000' })]],
    ['a changed function', [calc('taxed', 'x * 2')]],
    ...storableCases,
  ])('%s', async (_, components) => {
    const org = await target.start()
    await org.apply({ components: ground })
    expect(await org.apply({ components })).toMatchObject({ ok: true, generation: 3 })
    await org.close()
  })
})
