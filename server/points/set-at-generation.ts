// A set or flag at a generation, under its name there, as far as a user can see it.
import { componentId, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { lazySetSlice, type SetSlice } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { requireVisibleValues, effectiveAccess, PastVisibility, type Visibility } from '../access/index.ts'
import { includesGeneration, type KeyPeriod } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'

export interface SetAtGeneration {
  /** The key of the set at that generation. */
  name: string
  view: ComponentView
  definition: ComponentOf<'config_set'> | ComponentOf<'feature_flag'>
  slice: SetSlice
}

/**
 * Today's access applies; a removed set is visible by its last grants.
 * @throws AlmanacError generation.not_found, config.unknown_set, access.denied
 */
export function requireSetAt(
  reader: OrgReader,
  actor: string,
  set: string,
  generation: number,
): SetAtGeneration {
  const active = reader.generations.active()
  const present = { generation: active, view: reader.generations.view(active) }
  const access = effectiveAccess(reader, actor, present.view)
  const view = reader.generations.view(generation)
  const name = nameAt(reader, set, generation)
  const visibility = new PastVisibility(access, present).at(reader, generation)
  const definition =
    name === null ? undefined : (view.get('config_set', name) ?? view.get('feature_flag', name))
  if (name === null || definition === undefined || !visibility.canSeeDefinition(name))
    throw unknown(view, set, generation, visibility)
  requireVisibleValues(visibility, name, access.user)
  return { name, view, definition, slice: lazySetSlice(definition, view) }
}

/** The key that a set or flag of today had at an older generation; null if it did not exist there. */
function nameAt(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  set: string,
  generation: number,
): string | null {
  const spell = spellsOfSet(reader, set).find((each) => includesGeneration(each, generation))
  return spell === undefined ? null : splitId(spell.id).key
}

/**
 * The keys over time of the set or flag that has this key now, or had it last, until it lost it; oldest first, empty if
 * none had it.
 */
export function spellsOfSet(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  set: string,
): KeyPeriod[] {
  const active = reader.generations.active()
  const ids = [componentId('config_set', set), componentId('feature_flag', set)]
  const identities = [active, ...lastHeld(reader, ids)].flatMap((generation) =>
    ids.flatMap((id) => reader.identities.at(generation, id) ?? []),
  )
  const spells = identities[0] === undefined ? [] : reader.identities.keyPeriods(identities[0])
  return spells.slice(0, spells.findLastIndex(({ id }) => splitId(id).key === set) + 1)
}

/** The last generation in which one of these was active, if none is active now. */
function lastHeld(reader: Pick<OrgReader, 'components'>, ids: readonly ComponentId[]): number[] {
  const ends = ids.flatMap((id) =>
    reader.components.versions(id).flatMap(({ to }) => (to === null ? [] : [to - 1])),
  )
  return ends.length === 0 ? [] : [Math.max(...ends)]
}

/**
 * The key that a set or flag had before its current one, and the generation that renamed it; null if it was never
 * renamed.
 */
export function previousKeyOf(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  set: string,
): { key: string; generation: number } | null {
  const [before, now] = spellsOfSet(reader, set).slice(-2)
  if (before === undefined || now === undefined || before.to !== now.from) return null
  return { key: splitId(before.id).key, generation: now.from }
}

function unknown(
  view: ComponentView,
  set: string,
  generation: number,
  { canSeeDefinition }: Visibility,
): AlmanacError {
  const known = [...view.keys('config_set'), ...view.keys('feature_flag')].filter((key) =>
    canSeeDefinition(key),
  )
  const hint = known.includes(set) ? ' A different component had that key then.' : didYouMean(set, known)
  return new AlmanacError(
    'config.unknown_set',
    `The set or flag "${set}" does not exist in generation ${generation}.${hint}`,
  )
}
