// What is cached between two reads of the drafts is never visible: tested on a real org in a folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ComponentId } from '#kernel/components/component.ts'
import { fee, feeSet } from '../../test/support/fees.ts'
import { initOrg, openDeps } from '../compose/open-org.ts'
import { inlineRunner } from './inline-runner.ts'
import { CandidateCache } from './pipeline-cache.ts'
import type { Org } from './org.ts'
import type { ApplyRequest, JobRunner } from './request.ts'
import { visibleDraft } from './draft-access.ts'

const slug = fc.constantFrom('a', 'b', 'c')
const amount = fc.integer({ min: 1, max: 3 })
const step = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant('write' as const), slug, amount }), weight: 3 },
  fc.record({ do: fc.constant('write' as const), slug, amount, key: slug }),
  fc.record({ do: fc.constantFrom('remove' as const, 'discard' as const, 'break' as const), slug }),
  fc.record({ do: fc.constant('shape' as const), scale: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ do: fc.constant('apply beside' as const), slug, amount }),
  fc.record({ do: fc.constant('apply drafts' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const idOf = (one: string): ComponentId => `config_entry/fee.${one}`

async function take(org: Org, move: Step): Promise<unknown> {
  const save = (id: ComponentId, text: string | null): Promise<unknown> => {
    const version = org.store.read((reader) => visibleDraft(reader, id, null)?.version ?? 0)
    return org.saveDraft({ id, text, version, actor: { actor: 'admin', correlationId: 'c' }, viewer: null })
  }
  switch (move.do) {
    case 'write': {
      const { slug: one, amount: to, key } = move as { slug: string; amount: number; key?: string }
      return save(idOf(one), JSON.stringify(fee(one, String(to), { key })))
    }
    case 'break':
      return save(idOf(move.slug), '{')
    case 'remove':
      return save(idOf(move.slug), null)
    case 'discard':
      return org.discardDraft(idOf(move.slug), {
        actor: { actor: 'admin', correlationId: 't' },
        viewer: null,
      })
    case 'shape':
      return save('config_set/fee', JSON.stringify(feeSet(move.scale)))
    case 'apply beside':
      return org.apply({
        source: { kind: 'components', components: [fee(move.slug, String(move.amount))] },
        actor: 'admin',
      })
    case 'apply drafts':
      return org.apply({ source: { kind: 'drafts' }, actor: 'admin' })
  }
}

/** Everything that is reported of the drafts, including a refusal. */
async function planDrafts(runner: JobRunner, options: Partial<ApplyRequest>): Promise<unknown> {
  try {
    const request = { source: { kind: 'drafts' }, actor: 'admin', includesIndex: true, ...options } as const
    const { changes, ...outcome } = await runner.plan(request)
    return { ...outcome, changes: [...changes], ms: 0 }
  } catch (error) {
    return { code: (error as { code: string }).code, details: (error as { details: unknown }).details }
  }
}

describe('drafts that are read repeatedly', () => {
  it('report the same as on the first read', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'almanac-memory-'))
        const org = initOrg(folder, { name: 'T', environment: 'dev' })
        const parts = openDeps(folder)
        try {
          await org.apply({
            source: { kind: 'components', components: [feeSet(), fee('a', '1'), fee('b', '1')] },
            actor: 'admin',
          })
          const runner = inlineRunner(parts)
          for (const move of steps) {
            await take(org, move).catch(() => undefined)
            for (const options of [{ unjudged: true }, {}, { rationale: 'Because.' }])
              expect(await planDrafts(runner, options)).toEqual(
                await planDrafts(inlineRunner(parts), options),
              )
          }
        } finally {
          parts.store.close()
          await org.close()
          rmSync(folder, { recursive: true, force: true })
        }
      }),
      { numRuns: 25 },
    ))
})

describe('a candidate', () => {
  it('is built once for the same components, and again for others or over another generation', () => {
    const cache = new CandidateCache()
    let built = 0
    const build = (): never => ({ view: null, changes: [], findings: [], at: (built += 1) }) as never
    const one = { component: fee('a', '1'), hints: {} } as never
    const list = { components: [one], removals: [idOf('b')], prune: false }
    const first = cache.getOrBuild(2, list, build)
    expect(cache.getOrBuild(2, { ...list, components: [one] }, build)).toBe(first)
    for (const [base, other] of [
      [3, list],
      [2, { ...list, removals: [] }],
      [2, { ...list, components: [{ component: fee('a', '1'), hints: {} } as never] }],
      [2, { ...list, prune: true }],
    ] as const)
      expect(cache.getOrBuild(base, other, build)).not.toBe(first)
    expect(built).toBe(5)
  })
})
