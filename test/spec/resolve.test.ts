// Every resolution of the table, in the kernel, over the engines and over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { componentDigest, nobleSha256, type Digest } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { buildSetSlice, generationSlice, parseAsOf, resolve } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { buildComponent, normalised } from '../support/metadata.ts'
import { dataEngineTarget } from './data-engine-target.ts'
import { dataGround, laterGround } from './data-ground.ts'
import { dataHttpTarget } from './data-http-target.ts'
import type { DataOrg, Given, ResolveQuestion } from './data-target.ts'
import { resolveCases } from './resolve.table.ts'

type Resolver = Pick<DataOrg, 'resolve' | 'close'>

/** The kernel alone: components in memory, a slice, resolution. */
function kernelResolver(): Resolver {
  const components = [...dataGround, ...laterGround].map((json) => {
    const { type, key, body } = json as Component
    return buildComponent(type, key, body) as Component
  })
  const view = new MemoryView(normalised(components))
  const digest = (component: Component): Digest => componentDigest(component, nobleSha256)
  const sets = [...view.list('config_set'), ...view.list('feature_flag')].map(
    (set) => [set.key, buildSetSlice(set, view.entriesOf(set.key), digest(set))] as const,
  )
  const slice = generationSlice(1, new Map(sets))
  const answer = ({ set, key = null, scope, asOf }: ResolveQuestion): Given => {
    try {
      const date = asOf == null ? null : parseAsOf(asOf)
      return resolve(slice, { set, key, scopePath: scope as ScopePath, asOf: date }) as never
    } catch (error) {
      if (!(error instanceof AlmanacError)) throw error
      return { refused: error.code, message: error.message, details: [...error.details] }
    }
  }
  return { resolve: async (_, question) => answer(question), close: async () => undefined }
}

const targets: readonly { name: string; start(): Promise<Resolver> }[] = [
  { name: 'the kernel', start: async () => kernelResolver() },
  dataEngineTarget,
  dataHttpTarget,
]

describe.each(targets)('resolution over $name', ({ start }) => {
  let org: Resolver
  beforeAll(async () => {
    org = await start()
  })
  afterAll(() => org.close())

  const titled = resolveCases.map((each) => [`${each.rule}: ${each.name}`, each] as const)
  it.each(titled)('%s', async (_title, { question, gives }) => {
    const found = await org.resolve({ user: 'ann' }, question)
    if ('entry' in gives) {
      const { entry, values, ...rest } = found as { entry: string; values: object }
      // The whole row, so that a merge of rows is seen.
      return expect({ entry, values }, JSON.stringify(rest)).toEqual(gives)
    }
    expect(found).toMatchObject({ refused: gives.code })
    for (const name of gives.names) expect((found as { message: string }).message).toContain(name)
  })
})
