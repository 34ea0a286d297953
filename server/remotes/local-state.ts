// The local side of a comparison: the active generation, or a user's drafts over it, as far as they can see it.
import {
  afterOf,
  candidateSteps,
  componentDigest,
  type CandidateComponent,
  type Digest,
} from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, isEntryId, splitId, type ApplyHints, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { updateGraph, type ReferenceGraph } from '#kernel/graph/index.ts'
import type { LocalSource } from '#wire/remotes.ts'
import { assignedSets, type Viewer, type Actor } from '../access/index.ts'
import {
  carriedDescription,
  createYielder,
  draftIdsOf,
  draftsMark,
  isIdVisible,
  isLargeServiceDraft,
  runInChunks,
  parseDraft,
  visibleDraftsByIds,
  narrowView,
  type DraftReading,
} from '../pipeline/index.ts'
import type { DraftRow } from '#wire/index.ts'
import type { RemotesDeps } from './deps.ts'
import { createRemoteRedactor } from './remote-redactor.ts'

export interface LocalState {
  source: LocalSource
  generation: number
  view: ComponentView
  /** The view for contents of ids in `digests` only: it does not check rights for each. */
  contents: ComponentView
  digests: ReadonlyMap<ComponentId, Digest>
  /** What exists but is hidden from the caller: neither pushed nor compared. */
  hidden: { has(id: ComponentId): boolean }
  /** Components that are drafts, with their authors' hints for an apply. */
  drafts: ReadonlyMap<ComponentId, ApplyHints>
  /** The description that goes along with an external service; null for any other component. */
  descriptionOf(this: void, component: Component): string | null
  /** Drafts that cannot be read; the active component is used instead. */
  unread: ComponentId[]
  graph(): ReferenceGraph
}

const page = 500

/** Identifies the state of this side as a user sees it: equal marks need not be read twice. */
export function localStateFingerprint(
  { store, org, sha256 }: RemotesDeps,
  by: Actor,
  source: LocalSource,
): string {
  return store.read((reader) => {
    const user = reader.people.user(by.actor)
    const rights = by.isOperator === true || user === undefined ? null : assignedSets(reader.people, user)
    // There can be many drafts.
    const drafts = source === 'active' ? '' : sha256(draftsMark(reader))
    return JSON.stringify([org.pin().generation, by.actor, rights, source, drafts])
  })
}

export async function loadLocalState(
  { store, org, sha256, loadViewer: sightOf, readLargeDraft }: RemotesDeps,
  by: Actor,
  source: LocalSource,
): Promise<LocalState> {
  const { generation, view: whole } = org.pin()
  const viewer = by.isOperator === true ? null : store.read((reader) => sightOf(reader, by.actor))
  const view = narrowView(whole, viewer)
  const digests = new Map<ComponentId, Digest>()
  const { isVisible } = createRemoteRedactor(whole, viewer)
  // An entry that only the remote has is hidden with its set.
  const hidden = { has: (id: ComponentId): boolean => !isVisible(id) }
  const isShown = createSetFilter(viewer)
  const breathe = createYielder()
  for (let after: ComponentId | null = null; ;) {
    const rows = store.read((reader) => reader.components.digestPage(generation, after, page))
    for (const [id, digest] of rows) if (isShown(id)) digests.set(id, digest)
    if (rows.length < page) break
    after = rows.at(-1)![0]
    await breathe()
  }
  const descriptionOf = (component: Component): string | null =>
    store.read((reader) => carriedDescription(reader, component))
  const active = {
    generation,
    view,
    descriptionOf,
    contents: whole,
    digests,
    hidden,
    unread: [] as ComponentId[],
  }
  if (source === 'active') return { ...active, source, drafts: new Map(), graph: () => org.graph() }

  // Drafts of other users are not sent before their authors or an apply release them.
  const own = store.read((reader) => draftIdsOf(reader, by.actor))
  const draftList = await readDrafts(own, {
    active: view,
    rowsOf: (ids) => store.read((reader) => visibleDraftsByIds(reader, ids, viewer)),
    readLargeDraft,
  })
  const { changes, view: drafted } = await runInChunks(
    candidateSteps(view, draftList, { sha256, graph: org.graph() }),
  )
  const drafts = new Map<ComponentId, ApplyHints>()
  const touched: ComponentId[] = []
  for (const change of changes) {
    const after = afterOf(change) as Component | null
    touched.push(change.id)
    drafts.set(change.id, change.kind === 'removed' ? {} : change.hints)
    if (change.kind === 'renamed') {
      touched.push(change.from)
      digests.delete(change.from)
    }
    if (after === null) digests.delete(change.id)
    else digests.set(change.id, componentDigest(after, sha256))
    await breathe()
  }
  return {
    ...active,
    source,
    view: drafted,
    contents: drafted,
    drafts,
    unread: draftList.unread,
    graph: () => updateGraph(org.graph(), touched, drafted),
  }
}

/** There are many entries and few sets. */
function createSetFilter(viewer: Viewer | null): (id: ComponentId) => boolean {
  const sets = new Map<string, boolean>()
  return (id) => {
    if (!isEntryId(id)) return isIdVisible(id, viewer)
    const set = id.slice(0, id.indexOf('.'))
    const known = sets.get(set) ?? isIdVisible(id, viewer)
    sets.set(set, known)
    return known
  }
}

/** Number of drafts that are read at once. */
const draftsPerRead = 100

interface DraftSource {
  active: ComponentView
  rowsOf: (ids: readonly ComponentId[]) => readonly DraftRow[]
  readLargeDraft: DraftReading
}

async function readDrafts(
  ids: readonly ComponentId[],
  { active, rowsOf, readLargeDraft }: DraftSource,
): Promise<{ components: CandidateComponent[]; removals: ComponentId[]; unread: ComponentId[] }> {
  const components: CandidateComponent[] = []
  const removals: ComponentId[] = []
  const unread: ComponentId[] = []
  const breathe = createYielder()
  for (let from = 0; from < ids.length; from += draftsPerRead)
    for (const draft of rowsOf(ids.slice(from, from + draftsPerRead))) {
      await breathe()
      if (draft.text === null) {
        const { type, key } = splitId(draft.id)
        if (active.has(type, key)) removals.push(draft.id)
        continue
      }
      const parsed = isLargeServiceDraft(draft) ? await readLargeDraft(draft) : parseDraft(draft).parsed
      if (parsed === null) unread.push(draft.id)
      else components.push(parsed)
    }
  const given = new Set(components.map(({ component }) => idOf(component)))
  return { components, removals: removals.filter((id) => !given.has(id)), unread }
}
