// Identifies the removed component that an added one restores, if it comes from a rollback or a revert: directly, by a
// draft or by a request. Results and histories then follow it.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Viewer } from '../access/index.ts'
import { includesGeneration, type ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { isIdHidden } from './id-visibility.ts'

/** The older content that a change list restores. */
export interface RestoreSource {
  rollbackTo: number | null
  restoredIdentities: ReadonlyMap<ComponentId, ComponentIdentity>
}

/** Undefined if the component is a new one, or if the former one exists under another key. */
export function restoredIdentity(
  reader: Pick<OrgReader, 'identities'>,
  { rollbackTo, restoredIdentities }: RestoreSource,
  id: ComponentId,
): ComponentIdentity | undefined {
  if (rollbackTo !== null) return reader.identities.at(rollbackTo, id)
  const identity = restoredIdentities.get(id)
  return identity !== undefined && isGone(reader, identity) ? identity : undefined
}

/** What an older generation had under the id that the component would have there, if it is gone. */
export function removedIdentity(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  id: ComponentId,
  generation: number,
): ComponentIdentity | undefined {
  const former = formerId(reader, id, generation)
  const identity = former === null ? undefined : reader.identities.at(generation, former)
  return identity !== undefined && isGone(reader, identity) ? identity : undefined
}

/** Whether a restored component was hidden under its former identity. */
export function isRestoredHidden(
  reader: OrgReader,
  identity: ComponentIdentity,
  viewer: Viewer | null,
): boolean {
  const last = reader.identities.keyPeriods(identity).at(-1)
  if (viewer === null || last === undefined) return false
  return isIdHidden(last.id, viewer.at(reader, last.to === null ? reader.generations.active() : last.to - 1))
}

function isGone(reader: Pick<OrgReader, 'identities'>, identity: ComponentIdentity): boolean {
  return reader.identities.keyPeriods(identity).every(({ to }) => to !== null)
}

/** An entry follows its set; null if the set did not exist. */
function formerId(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  id: ComponentId,
  generation: number,
): ComponentId | null {
  const { type, key } = splitId(id)
  if (type !== 'config_entry') return id
  const dot = key.indexOf('.')
  const active = reader.generations.active()
  const set =
    reader.identities.at(active, `config_set/${key.slice(0, dot)}`) ??
    reader.identities.at(active, `feature_flag/${key.slice(0, dot)}`)
  if (set === undefined) return id
  const spell = reader.identities.keyPeriods(set).find((each) => includesGeneration(each, generation))
  return spell === undefined ? null : `config_entry/${splitId(spell.id).key}${key.slice(dot)}`
}
