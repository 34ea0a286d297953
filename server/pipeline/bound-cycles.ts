// Cycles among the formulas of a candidate and those that stored values still keep: such values would depend on the order
// in which they are computed. A value that reads configuration keeps its formula until its record is recomputed.
import { isDeepStrictEqual } from 'node:util'
import type { Candidate } from '#kernel/change/index.ts'
import { componentId } from '#kernel/components/component.ts'
import { isComputed } from '#kernel/components/object/is-computed.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { chainText, cyclesOf } from '#kernel/expr/index.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { KeptCount } from '../ports/record-facts.ts'
import { boundLayers, readsOfView, type FormulaReads } from './formula-reads.ts'
import { fieldIdsAfter } from './record-losses.ts'

type Reader = Pick<OrgReader, 'generations' | 'identities' | 'recordFacts'>

export interface BoundCycles {
  findings: readonly Finding[]
  /** What was asked of the records. */
  asked: readonly AskedRecords[]
  /** The generations that stored values were bound to; null if no save can add a cycle. */
  generations: readonly number[] | null
}

interface AskedRecords {
  object: ObjectId
  field: FieldId
  kept: readonly KeptCount[]
}

export interface CycleCheck {
  base: number
  candidate: Pick<Candidate, 'view' | 'changes'>
  /** The generation from which a rollback or a revert brings fields back. */
  restoresFrom: number | null
}

export const noBoundCycles: BoundCycles = { findings: [], asked: [], generations: null }

export function boundCycles(reader: Reader, check: CycleCheck): BoundCycles {
  const { base, candidate } = check
  if (!candidate.changes.some(({ id }) => id.startsWith('object/'))) return noBoundCycles
  if (!reader.recordFacts.any()) return { ...noBoundCycles, generations: [] }
  const ids = idsAfter(reader, check)
  const now = readsOfView(candidate.view, 'now', ids)
  // A cycle of the candidate alone is a finding of its own.
  if (cyclesOf(edgesOf([now])).length > 0) return noBoundCycles
  const before = readsOfView(reader.generations.view(base), 'now', (key) =>
    reader.identities.fields(base, key),
  )
  const added = [...now].flatMap(([from, { needs }]) =>
    needs.filter((to) => before.get(from)?.needs.includes(to) !== true).map((to) => ({ from, to })),
  )
  if (added.length === 0) return noBoundCycles
  const generations = reader.recordFacts.boundGenerations()
  const layers = boundLayers(reader, base, generations)
  const all = edgesOf([now, ...layers.map(({ reads }) => reads)])
  const back = edgesBack(all)
  const ahead = reachable(
    all,
    added.map(({ to }) => to),
  )
  const behind = reachable(
    back,
    added.map(({ from }) => from),
  )
  const entered = enteredFields(candidate.view, ids)
  const asked = new Map<string, AskedRecords>()
  const kept = layers.map(({ reads, generations: own }) => {
    const found = [...reads].filter(([node, { identity }]) => {
      if (!ahead.has(node) || !behind.has(node) || entered.has(node)) return false
      if (identity === null) return true
      if (!asked.has(node))
        asked.set(node, { ...identity, kept: reader.recordFacts.keptValues(identity.object, identity.field) })
      return asked.get(node)!.kept.some(({ generation }) => own.has(generation))
    })
    return { own, reads: new Map(found) }
  })
  const union = edgesOf([now, ...kept.map(({ reads }) => reads)])
  const findings = cyclesOf(union).map((chain) => cycleFinding(chain, { base, now, kept, asked }))
  return { findings, asked: [...asked.values()], generations }
}

/** Whether the records would still give the same answers. */
export function isStillBoundSo(
  { recordFacts }: Pick<OrgReader, 'recordFacts'>,
  { asked, generations }: BoundCycles,
): boolean {
  if (generations === null) return true
  return (
    isDeepStrictEqual(recordFacts.boundGenerations(), generations) &&
    asked.every(({ object, field, kept }) => isDeepStrictEqual(recordFacts.keptValues(object, field), kept))
  )
}

/** The identities of the fields of an object in the candidate; negative for a field that does not exist yet. */
export function idsAfter(
  reader: Pick<OrgReader, 'identities'>,
  { base, candidate: { changes }, restoresFrom }: CycleCheck,
): (object: string) => ReadonlyMap<string, FieldId> {
  const byId = new Map(changes.map((change) => [change.id, change]))
  return (key) => {
    const change = byId.get(componentId('object', key))
    if (change === undefined) return reader.identities.fields(base, key)
    if (change.kind === 'added' || change.kind === 'removed') return new Map()
    return fieldIdsAfter(reader, base, changes, change, restoresFrom)
  }
}

/** Fields that users enter. Their earlier formulas compute nothing. */
function enteredFields(view: ComponentView, idsOf: ReturnType<typeof idsAfter>): Set<string> {
  return new Set(
    [...view.list('object')].flatMap(({ key, body }) =>
      body.fields.flatMap((field) => (isComputed(field) ? [] : [String(idsOf(key).get(field.key))])),
    ),
  )
}

type Edges = Map<string, string[]>

function edgesOf(all: readonly FormulaReads[]): Edges {
  const edges: Edges = new Map()
  for (const reads of all)
    for (const [node, { needs }] of reads) edges.set(node, [...(edges.get(node) ?? []), ...needs])
  return edges
}

function edgesBack(edges: Edges): Edges {
  const back: Edges = new Map()
  for (const [from, needs] of edges) for (const to of needs) back.set(to, [...(back.get(to) ?? []), from])
  return back
}

function reachable(edges: Edges, start: readonly string[]): Set<string> {
  const found = new Set(start)
  for (const node of found) for (const next of edges.get(node) ?? []) found.add(next)
  return found
}

interface CycleParts {
  base: number
  now: FormulaReads
  kept: readonly { own: ReadonlySet<number>; reads: FormulaReads }[]
  asked: ReadonlyMap<string, AskedRecords>
}

function cycleFinding(chain: readonly string[], { base, now, kept, asked }: CycleParts): Finding {
  const nameOf = (node: string): string =>
    [now, ...kept.map(({ reads }) => reads)].flatMap((reads) => reads.get(node)?.name ?? [])[0] ?? node
  const steps = chain.slice(1).map((to, at) => ({ from: chain[at]!, to }))
  const reads = (of: FormulaReads, { from, to }: (typeof steps)[number]): boolean =>
    of.get(from)?.needs.includes(to) === true
  const old = steps.filter((step) => !reads(now, step))
  const place = now.get(steps.find((step) => reads(now, step))!.from)!
  const texts = old.flatMap((step) => {
    const own = kept.filter((layer) => reads(layer.reads, step)).flatMap((layer) => [...layer.own])
    const counts = (asked.get(step.from)?.kept ?? []).filter(({ generation }) => own.includes(generation))
    return counts.length === 0 ? [] : [keptText(nameOf(step.from), counts)]
  })
  // A recompute in the active generation would keep the same formula.
  const isActive = old.some((step) => kept.some(({ own, reads: of }) => own.has(base) && reads(of, step)))
  const objects = new Set(old.map(({ from }) => nameOf(from).split('.')[0]!))
  const way = isActive
    ? `Apply the changes of ${[...new Set(old.map(({ from }) => nameOf(from)))].join(' and ')} first, recompute the records of ${[...objects].join(' and ')}, and then apply the rest.`
    : `Recompute the records of ${[...objects].join(' and ')} first.`
  return {
    ...{ severity: 'error', code: 'object.bound_cycle', component: place.component, path: place.path },
    message: `A formula or roll-up cannot depend on itself: ${chainText(chain.map(nameOf), 'reads')}. ${texts.join(' ')} ${way}`,
    related: [],
  }
}

/** Generations that a finding names. */
const maxNamed = 3

function keptText(name: string, counts: readonly KeptCount[]): string {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const named = counts.slice(0, maxNamed).map(({ generation }) => generation)
  const more = counts.length > maxNamed ? ` and ${counts.length - maxNamed} more` : ''
  const values = total === 1 ? '1 stored value' : `${total.toLocaleString('en')} stored values`
  const generations = `generation${counts.length === 1 ? '' : 's'} ${named.join(', ')}${more}`
  return `${values} of ${name} ${total === 1 ? 'keeps' : 'keep'} the formula of ${generations}.`
}
