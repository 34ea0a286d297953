// Writes generations for the storage tests without the pipeline.
import { componentDigest, nobleSha256, setDigest } from '#kernel/change/index.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import type { OrgStore } from '../../server/ports/org-store.ts'
import type { GenerationWrite, VersionWrite } from '../../server/ports/generations.ts'

export function entry(slug: string, amount: string): ComponentOf<'config_entry'> {
  const body = { set: 'fee', key: slug.toUpperCase(), scope: { kind: 'org' as const }, values: { amount } }
  return { type: 'config_entry', key: `fee.${slug}`, label: `Fee ${slug}`, body }
}

export const digestOf = (component: Component): string => componentDigest(component, nobleSha256)

export type Step =
  | { kind: 'added' | 'changed'; component: Component }
  | { kind: 'removed'; id: ComponentId }
  | { kind: 'renamed'; from: ComponentId; component: Component }

/** Writes one generation of these steps; the facts of set "fee" are computed from `entries` if they are passed. */
export function writeSteps(
  store: OrgStore,
  steps: readonly Step[],
  entries?: readonly Component[],
  more: Partial<GenerationWrite['row']> = {},
): number {
  const versions = steps.map((step): VersionWrite => {
    if (step.kind === 'removed')
      return { kind: 'removed', id: step.id, renamedFrom: null, component: null, digest: null, hints: {} }
    const { component } = step
    return {
      kind: step.kind,
      id: idOf(component),
      renamedFrom: step.kind === 'renamed' ? step.from : null,
      component,
      digest: componentDigest(component, nobleSha256),
      hints: step.kind === 'renamed' ? { renamedFrom: 'old' } : {},
    }
  })
  const digests = (entries ?? []).map((each) => componentDigest(each, nobleSha256))
  const digest = setDigest(componentDigest(entry('definition', '0'), nobleSha256), digests, nobleSha256)
  return store.write((transactor) => {
    const generation = transactor.generations.write({
      row: {
        kind: 'apply',
        at: '2026-01-02T00:00:00.000Z',
        actor: 'mara',
        rationale: 'because',
        correlationId: 'c1',
        changeDigest: 'd1',
        counts: { added: steps.length, changed: 0, renamed: 0, removed: 0 },
        sliceBytes: 7,
        ...more,
      },
      versions,
      references: [],
    })
    const sets = entries === undefined ? [] : [{ set: 'fee', digest, bytes: entries.length }]
    transactor.sets.putSummaries(generation, { sets, removed: [] })
    return generation
  })
}
