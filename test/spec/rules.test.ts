// The rules about values and records, each over the engines and over HTTP. A rule that deploys has an org of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataEngineTarget } from './data-engine-target.ts'
import { dataHttpTarget } from './data-http-target.ts'
import type { DataOrg, RuleCase } from './data-target.ts'
import { dataApiCases } from './data-api.table.ts'
import { errorCases } from './errors.table.ts'
import { operationCases } from './operations.table.ts'
import { rightsCases } from './rights.table.ts'
import { valueCases } from './values.table.ts'
import { versionCases } from './versions.table.ts'

const tables: Readonly<Record<string, readonly RuleCase[]>> = {
  values: valueCases,
  'the data API': dataApiCases,
  operations: operationCases,
  rights: rightsCases,
  errors: errorCases,
  versions: versionCases,
}

const targets = [
  { ...dataEngineTarget, isServed: false },
  { ...dataHttpTarget, isServed: true },
]

/** In full: of a property, the title would show 40 characters. */
const titleOf = ({ rule, name }: RuleCase): string => `${rule}: ${name}`

describe.each(targets)('over $name', ({ start, isServed }) => {
  let shared: DataOrg
  beforeAll(async () => {
    shared = await start()
  })
  afterAll(() => shared.close())

  describe.each(Object.entries(tables))('%s', (_, cases) => {
    const asked = cases.filter(({ only }) => only === undefined || isServed)
    it.each(asked.map((each) => [titleOf(each), each] as const))('%s', async (_title, each) => {
      const org = each.deploys === true ? await start() : shared
      try {
        expect(await each.run(org)).toEqual(each.gives)
      } finally {
        if (org !== shared) await org.close()
      }
    })
  })
})
