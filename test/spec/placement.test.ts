// Each placement of the table, on every target: a fault in a layout is a finding on the candidate.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '#kernel/errors/finding.ts'
import { ground } from './ground.ts'
import { placementCases } from './placement.table.ts'
import type { SpecOrg } from './target.ts'
import { targets } from './targets.ts'

const layout = (section: unknown): object => ({
  ...{ type: 'layout', key: 'page', label: 'Page' },
  body: { object: 'invoice', sections: [section] },
})

describe.each(targets)('placements over $name', (target) => {
  let org: SpecOrg
  beforeAll(async () => {
    org = await target.start()
    await org.apply({ components: ground })
  })
  afterAll(() => org.close())

  it.each(placementCases)('$name', async ({ section, finding }) => {
    const outcome = await org.apply({ components: [layout(section)] })
    const layoutFindings = ((outcome.ok ? outcome.findings : outcome.details) as Finding[]).filter(
      ({ component }) => component === 'layout/page',
    )
    expect(outcome.ok).toBe(finding?.severity !== 'error')
    expect(layoutFindings.map(({ severity, code, path }) => ({ severity, code, at: path }))).toEqual(
      finding === undefined
        ? []
        : [{ severity: finding.severity, code: finding.code, at: `/body/sections/0${finding.at}` }],
    )
    for (const name of finding?.names ?? []) expect(layoutFindings[0]!.message).toContain(name)
  })
})
