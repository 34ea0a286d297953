// Findings of the org with its drafts, cached until either changes.
import { isComponentType, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { validateView } from '#kernel/change/index.ts'
import {
  viewerFor,
  directoryOf,
  effectiveAccess,
  createPrincipalFactFeed,
  type Viewer,
} from '../../access/index.ts'
import { draftsMark, isIdVisible, visibleDraftBriefs, type Org } from '../../pipeline/index.ts'
import { readFindings, type SharedFindings } from './shared-findings.ts'

export interface Problems {
  /** Resolves once the findings are known, without reading them. */
  ready(actor: string): Promise<unknown>
  /** Findings of the drafts over the active generation, then those of the active generation. */
  all(actor: string): Promise<Finding[]>
  /** Number of findings of each component. */
  counts(actor: string): Promise<ReadonlyMap<string, number>>
  /** The components with errors; a component with only warnings is valid. */
  invalid(actor: string): Promise<ReadonlySet<string>>
}

/** Problems that another thread computes. */
export interface SharedProblems extends Problems {
  shared(actor: string): Promise<SharedFindings>
}

/** Above this number of entries the active generation is not validated again: it would block readers. */
const maxEntries = 2000

/** Maximum number of findings that are kept; a longer list would not be readable. */
export const maxProblems = 5000

/** @param find computes the findings; default in this thread */
export function createProblems(
  org: Org,
  find: (actor: string) => Promise<Finding[]> = async (actor) =>
    (await findProblems(org, actor)).slice(0, maxProblems),
): Problems {
  const all = cachedByState(org, find)
  return problemsOf(all, all)
}

/** @param find computes the findings in another thread */
export function createSharedProblems(
  org: Org,
  find: (actor: string) => Promise<SharedFindings>,
): SharedProblems {
  const shared = cachedByState(org, find)
  const read = new WeakMap<SharedFindings, Finding[]>()
  const all = async (actor: string): Promise<Finding[]> => {
    const bytes = await shared(actor)
    const findings = read.get(bytes) ?? readFindings(bytes)
    read.set(bytes, findings)
    return findings
  }
  return { ...problemsOf(shared, all), shared }
}

function problemsOf(ready: Problems['ready'], all: Problems['all']): Problems {
  return {
    ready,
    all,
    counts: async (actor) => {
      const counts = new Map<string, number>()
      for (const { component } of await all(actor)) counts.set(component, (counts.get(component) ?? 0) + 1)
      return counts
    },
    invalid: async (actor) => {
      const errors = (await all(actor)).filter(({ severity }) => severity === 'error')
      return new Set(errors.map(({ component }) => component))
    },
  }
}

/** Caches what is found for a user until the drafts, the active generation, the day or a principal changes. */
function cachedByState<T>(org: Org, find: (actor: string) => Promise<T>): (actor: string) => Promise<T> {
  // The content of a plan depends on the caller.
  let cache: { at: string; byActor: Map<string, Promise<T>> } = { at: '', byActor: new Map() }
  const lastPrincipal = watchPrincipals(org.store)
  return (actor) => {
    const at = `${stateOf(org)}\n${lastPrincipal()}`
    if (cache.at !== at) cache = { at, byActor: new Map() }
    const { byActor } = cache
    const found = byActor.get(actor) ?? find(actor)
    byActor.set(actor, found)
    // Failures are not cached: the next reader tries again.
    found.catch(() => byActor.delete(actor))
    return found
  }
}

/** Returns the last change to a user or group, because findings name inactive owners. */
function watchPrincipals(store: Org['store']): () => number {
  const newFacts = createPrincipalFactFeed(store)
  let last = 0
  return () => (last = newFacts().at(-1)?.id ?? last)
}

/** Returns one text with everything else that findings depend on. */
function stateOf({ store, clock, ...org }: Org): string {
  return [org.activeGeneration(), clock.today(), store.read(draftsMark)].join('\n')
}

async function findProblems(org: Org, actor: string): Promise<Finding[]> {
  const { ids, viewer } = draftsVisibleTo(org, actor)
  const drafts = ids.length === 0 ? [] : await draftFindings(org, actor, ids)
  const drafted = new Set(drafts.map(({ component, code }) => `${component} ${code}`))
  const active = activeFindings(org).filter((finding) => isShown(finding, viewer))
  return [...drafts, ...active.filter(({ component, code }) => !drafted.has(`${component} ${code}`))]
}

/** A finding of an entry reveals its content, so it is only for users who can see the values of its set. */
function isShown({ component, related }: Finding, viewer: Viewer | null): boolean {
  return [component, ...related.map((each) => each.component)].every(
    (id) => !isComponentType(id.split('/', 1)[0]!) || isIdVisible(id as ComponentId, viewer),
  )
}

interface VisibleDrafts {
  /** Returns the drafts that a plan of this user can contain; naming others is refused. */
  ids: ComponentId[]
  viewer: Viewer | null
}

function draftsVisibleTo(org: Org, actor: string): VisibleDrafts {
  return org.store.read((reader) => {
    const generation = reader.generations.active()
    const view = reader.generations.view(generation)
    const viewer = viewerFor(effectiveAccess(reader, actor, view), { generation, view })
    return { ids: visibleDraftBriefs(reader, viewer).map(({ id }) => id), viewer }
  })
}

/** A draft with an outdated base is a separate finding, and does not prevent the findings of the others. */
async function draftFindings(org: Org, actor: string, ids: readonly ComponentId[]): Promise<Finding[]> {
  try {
    const { findings } = await org.plan({ source: { kind: 'drafts', ids }, actor, importsLater: true })
    // Ownership of a draft is not a problem of the org.
    return findings.filter(({ code }) => code !== 'draft.author')
  } catch (error) {
    if (!(error instanceof AlmanacError) || error.code !== 'conflict.stale_generation') throw error
    const overtaken = new Set((error.details as readonly { id: ComponentId }[]).map(({ id }) => id))
    const others = ids.filter((id) => !overtaken.has(id))
    const findings = [...overtaken].map(overtakenFinding)
    return others.length === 0 || others.length === ids.length
      ? findings
      : [...findings, ...(await draftFindings(org, actor, others))]
  }
}

function overtakenFinding(id: ComponentId): Finding {
  const message = `The active generation changed ${id} after this draft began. Compare the two, then discard the draft. To keep your version, save its text again afterwards.`
  return { severity: 'error', code: 'draft.overtaken', component: id, path: '', message, related: [] }
}

function activeFindings(org: Org): Finding[] {
  const { view } = org.pin()
  if (view.count('config_entry') > maxEntries) return []
  return org.store.read(
    (reader) =>
      validateView(view, { today: parseCivilDate(org.clock.today())!, principals: directoryOf(reader) })
        .findings,
  )
}
