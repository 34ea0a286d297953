// Reads a change list from its source: components, removals, and the findings of reading them.
import { appendAll } from '#kernel/append-all.ts'
import type { CandidateComponent, InvalidComponent } from '#kernel/change/index.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import type { Viewer } from '../access/index.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { DraftRow } from '#wire/index.ts'
import { withConfirmation } from './confirmed-restore.ts'
import { restoredIdentitiesOf, visibleDrafts } from './draft-access.ts'
import { draftName, parseDraft } from './parse-draft.ts'
import type { TextLookup } from './locate-findings.ts'
import { componentText, readDirectory } from './read-directory.ts'
import type { ChangeSource, Conflict, GenerationSource, RequestSource, RevertSource } from './request.ts'
import { withRationale, type RestoreBase } from './restored-flags.ts'
import { revertedChanges } from './revert-list.ts'

export interface LoadedChanges {
  components: CandidateComponent[]
  removals: ComponentId[]
  prune: boolean
  findings: Finding[]
  /** Components that could not be read completely. */
  invalidComponents: InvalidComponent[]
  /** The generation that the author saw, if the source contains it. */
  base: number | null
  /** The generation that the author saw of one component, if the source contains it for each (a draft). */
  baseById: ReadonlyMap<ComponentId, number>
  /** The drafts that the list was built from, as they were read. */
  drafts: DraftRow[]
  /** Drafts of other users that a list of all own drafts leaves out. */
  skippedDrafts: readonly SkippedDraft[]
  /** Drafts to delete once the list is applied, if they are still at this version. */
  consumedDrafts: readonly ConsumedDraft[]
  /** The removed components that the list restores, by their new ids. */
  restoredIdentities: ReadonlyMap<ComponentId, ComponentIdentity>
  /** The older generation of a rollback; null otherwise. */
  rollbackTo: number | null
  /** The generation from which a rollback or a revert brings fields of objects back; null otherwise. */
  restoresFrom: number | null
  /** Removed components whose lost fields in use the author confirms. */
  confirmed: ReadonlySet<ComponentId>
  /** The list restores older content, whose errors its author cannot edit, so it is not submitted for approval. */
  isRestore: boolean
  /** For a revert: what was changed since and is not resolved. */
  conflicts: readonly Conflict[]
  /** Returns the text that a component was read from, used to locate findings. */
  textOf: TextLookup
}

export type SkippedDraft = Pick<DraftRow, 'id' | 'author'>
export type ConsumedDraft = Pick<DraftRow, 'id' | 'version'>

const emptyChanges = (): LoadedChanges => ({
  components: [],
  removals: [],
  prune: false,
  findings: [],
  invalidComponents: [],
  base: null,
  baseById: new Map(),
  drafts: [],
  skippedDrafts: [],
  consumedDrafts: [],
  restoredIdentities: new Map(),
  rollbackTo: null,
  restoresFrom: null,
  confirmed: new Set(),
  isRestore: false,
  conflicts: [],
  textOf: () => null,
})

type Kind = ChangeSource['kind']
type ChangeLoader<K extends Kind> = (
  reader: OrgReader,
  source: Extract<ChangeSource, { kind: K }>,
  caller: Caller,
) => LoadedChanges

/** The user for whom a change list is read. Drafts that this user does not see do not exist. */
export interface Caller {
  user: string
  viewer: Viewer | null
  /** The rationale for each flag that restored content extends. */
  rationale?: string | undefined
}

const changeLoaders: { [K in Kind]: ChangeLoader<K> } = {
  components: (_, source) => loadComponents(source),
  directory: (reader, source) => loadDirectory(reader, source),
  drafts: loadDrafts,
  generation: loadGeneration,
  revert: loadRevert,
  request: loadRequest,
}

/** @throws AlmanacError files.invalid, draft.not_found, generation.not_found, change_request.not_found */
export function loadChanges(reader: OrgReader, source: ChangeSource, caller: Caller): LoadedChanges {
  const changes = (changeLoaders[source.kind] as ChangeLoader<Kind>)(reader, source, caller)
  return source.kind === 'request' ? changes : { ...changes, confirmed: new Set(source.breaking) }
}

function loadComponents(source: Extract<ChangeSource, { kind: 'components' }>): LoadedChanges {
  const changes = emptyChanges()
  for (const [index, json] of source.components.entries()) {
    const { component, hints, findings, invalidComponent } = parseComponent(json, `components/${index}`)
    appendAll(changes.findings, findings)
    if (component !== null) changes.components.push({ component, hints })
    else if (invalidComponent !== undefined) changes.invalidComponents.push(invalidComponent)
  }
  appendAll(changes.invalidComponents, source.invalidComponents ?? [])
  appendAll(changes.removals, source.removals ?? [])
  requireNoOverlap(changes)
  // A component that could not be read must not look removed.
  changes.prune =
    source.prune === true && !hasErrors(changes.findings) && changes.invalidComponents.length === 0
  return changes
}

/** @throws AlmanacError request.invalid if a component is both given and removed */
function requireNoOverlap({ components, removals }: LoadedChanges): void {
  const removed = new Set(removals)
  const both = components.map(({ component }) => idOf(component)).filter((id) => removed.has(id))
  if (both.length === 0) return
  const [first] = both
  const more = both.length === 1 ? '' : ` And ${both.length - 1} more.`
  throw new AlmanacError(
    'request.invalid',
    `${first} is in both the list of components and the list of removals.${more} Remove it from one of them.`,
    { details: both.map((component) => ({ component })) },
  )
}

function loadDirectory(
  reader: Pick<OrgReader, 'properties'>,
  { dir, prune }: Extract<ChangeSource, { kind: 'directory' }>,
): LoadedChanges {
  const { components, findings, invalidComponents, manifest } = readDirectory(dir)
  // Content moves freely between orgs; only a directory of this same org has a meaningful base.
  const base =
    manifest !== null && manifest.lineage === reader.properties.get().lineage ? manifest.generation : null
  // A file that cannot be read must not make its component look removed.
  return {
    ...emptyChanges(),
    components,
    findings,
    invalidComponents,
    base,
    prune: prune === true && !hasErrors(findings),
    textOf: (id) => componentText(dir, id),
  }
}

/** Without ids, the caller's own drafts: drafts of other users must be named. @throws AlmanacError draft.not_found */
function loadDrafts(
  reader: OrgReader,
  { ids }: Extract<ChangeSource, { kind: 'drafts' }>,
  { user, viewer }: Caller,
): LoadedChanges {
  const visible = visibleDrafts(reader, viewer)
  if (ids !== undefined) return draftChanges(reader, namedDrafts(visible, ids))
  const isOwn = ({ author }: DraftRow): boolean => author === user
  const skipped = visible.filter((draft) => !isOwn(draft))
  return {
    ...draftChanges(reader, skipped.length === 0 ? visible : visible.filter(isOwn)),
    skippedDrafts: skipped,
  }
}

/** @throws AlmanacError draft.not_found */
function namedDrafts(shown: readonly DraftRow[], ids: readonly ComponentId[]): DraftRow[] {
  const byId = new Map(shown.map((draft) => [draft.id, draft]))
  return ids.map((id) => {
    const draft = byId.get(id)
    if (draft === undefined) throw new AlmanacError('draft.not_found', `The draft of ${id} does not exist.`)
    return draft
  })
}

/** Every draft that the caller sees, as a change list. */
export function draftList(reader: OrgReader, viewer: Viewer | null): LoadedChanges {
  return draftChanges(reader, visibleDrafts(reader, viewer))
}

/** @param drafts as `visibleDrafts` returned them */
export function draftChanges(reader: OrgReader, drafts: DraftRow[]): LoadedChanges {
  const changes = emptyChanges()
  const baseOf = new Map<ComponentId, number>()
  for (const draft of drafts) {
    baseOf.set(draft.id, draft.baseGeneration)
    if (draft.text === null) changes.removals.push(draft.id)
    else {
      const { parsed, findings, invalidComponent } = parseDraft(draft)
      appendAll(changes.findings, findings)
      if (parsed === null) {
        if (invalidComponent !== undefined) changes.invalidComponents.push(invalidComponent)
        continue
      }
      changes.components.push(parsed)
      const id = idOf(parsed.component)
      if (id !== draft.id) baseOf.set(id, draft.baseGeneration)
    }
  }
  let texts: Map<ComponentId, string | null> | undefined
  const textOf: TextLookup = (id) => {
    texts ??= new Map(drafts.map((draft) => [draft.id, draft.text]))
    const text = texts.get(id)
    return text == null ? null : { name: draftName(id), text }
  }
  return {
    ...changes,
    baseById: baseOf,
    drafts,
    consumedDrafts: drafts,
    restoredIdentities: restoredIdentitiesOf(reader),
    textOf,
  }
}

function loadGeneration(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  { generation, breaking }: GenerationSource,
  { rationale = '' }: Caller,
): LoadedChanges {
  if (generation < 1)
    throw new AlmanacError(
      'generation.not_found',
      `Generation ${generation} does not exist; the first is 1, the newest is ${reader.generations.active()}.`,
    )
  const changes = { ...emptyChanges(), rollbackTo: generation, restoresFrom: generation }
  const view = reader.generations.view(generation)
  const active = reader.generations.active()
  for (const id of reader.components.changedBetween(generation, active)) {
    const { type, key } = splitId(id)
    const component = view.get(type, key)
    if (component === undefined) changes.removals.push(id)
    else changes.components.push({ component: component as CandidateComponent['component'], hints: {} })
  }
  const components = withRationale(changes.components, restoredOver(reader, generation), rationale)
  return { ...changes, components: withConfirmation(components, breaking), isRestore: true }
}

function restoredOver(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  generation: number,
): RestoreBase {
  const active = reader.generations.active()
  return {
    base: reader.generations.view(active),
    movedIds: reader.identities.keyMovesBetween(generation, active),
  }
}

function loadRevert(
  reader: OrgReader,
  source: RevertSource,
  { rationale = '', viewer }: Caller,
): LoadedChanges {
  const { components, ...reverted } = revertedChanges(reader, source, viewer)
  const base = reader.generations.view(reader.generations.active())
  return {
    ...emptyChanges(),
    ...reverted,
    components: withConfirmation(withRationale(components, { base }, rationale), source.breaking),
    restoresFrom: source.generation - 1,
    isRestore: true,
  }
}

/** The list as it was submitted, over the generation that its author saw then. */
function loadRequest(
  reader: Pick<OrgReader, 'generations' | 'identities' | 'requests'>,
  { id, base, without = [] }: RequestSource,
  { rationale }: Caller,
): LoadedChanges {
  const row = reader.requests.get(id)
  if (row === undefined)
    throw new AlmanacError('change_request.not_found', `The change request ${id} does not exist.`)
  const left = new Set<string>(without)
  const items = reader.requests.items(id).filter((item) => !left.has(item.id))
  const components = items.flatMap(({ text, hints }) =>
    text === null ? [] : [{ ...(JSON.parse(text) as object), ...hints }],
  )
  const removals = items.filter(({ text }) => text === null).map((item) => item.id)
  const changes = loadComponents({ kind: 'components', components, removals, prune: row.prune })
  const { rollbackTo, restoresFrom } = row
  return {
    ...changes,
    components:
      rollbackTo === null
        ? changes.components
        : withRationale(changes.components, restoredOver(reader, rollbackTo), rationale ?? row.rationale),
    base: base ?? row.base,
    rollbackTo,
    restoresFrom,
    confirmed: new Set(
      items.flatMap(({ id, text, hints }) => (text === null && hints.breaking === true ? [id] : [])),
    ),
    isRestore: rollbackTo !== null,
    baseById: new Map(
      items.flatMap((item) => (base !== undefined || item.base === null ? [] : [[item.id, item.base]])),
    ),
    restoredIdentities: new Map(
      items.flatMap(({ id, restores }) => (restores === null ? [] : [[id, restores]])),
    ),
    consumedDrafts: items.flatMap((item) =>
      item.draftVersion === null ? [] : [{ id: item.id, version: item.draftVersion }],
    ),
  }
}

/** The ids that the author named, readable or not. */
export function writtenIdsOf({
  components,
  invalidComponents,
  removals,
  drafts,
}: LoadedChanges): Set<string> {
  return new Set([
    ...components.map(({ component }) => idOf(component)),
    ...invalidComponents.map(({ id }) => id),
    ...removals,
    ...drafts.map(({ id }) => id),
  ])
}
