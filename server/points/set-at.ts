// A set or flag at a generation, under the name that it had there, as somebody may see it (specification 2.7.9, 5.5).
import { componentId } from '#kernel/components/component.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { lazySetSlice, type SetSlice } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { demandValues, effectiveAccess, visibleSets, type Visibility } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'

export interface SetAt {
  /** What it was called then. */
  name: string
  view: ComponentView
  definition: ComponentOf<'config_set'> | ComponentOf<'feature_flag'>
  slice: SetSlice
}

/**
 * Access is that of the present; a set that is gone is judged where it was.
 * @throws AlmanacError generation.not_found, config.unknown_set, access.denied
 */
export function setAt(reader: OrgReader, actor: string, set: string, generation: number): SetAt {
  const active = reader.view(reader.activeGeneration())
  const access = effectiveAccess(reader, actor, active)
  const view = reader.view(generation)
  const name = nameAt(reader, set, generation)
  const visibility = visibleSets(access, view, active, (key) => (key === name ? set : key))
  const definition = view.get('config_set', name) ?? view.get('feature_flag', name)
  if (definition === undefined || !visibility.definition(name))
    throw unknown(view, set, generation, visibility)
  demandValues(visibility, name, access.user)
  return { name, view, definition, slice: lazySetSlice(definition, view) }
}

/** The name at an older generation of what is called `set` today. */
function nameAt(reader: OrgReader, set: string, generation: number): string {
  const view = reader.view(generation)
  const seen = new Set<string>()
  let name = set
  while (!view.has('config_set', name) && !view.has('feature_flag', name) && !seen.has(name)) {
    seen.add(name)
    const earlier = renamedFrom(reader, name)
    if (earlier === null || earlier.generation <= generation) return name
    name = earlier.key
  }
  return name
}

/** What gave a set or flag its name, and in which generation; null where it was always called so. */
export function renamedFrom(reader: OrgReader, set: string): { key: string; generation: number } | null {
  for (const type of ['config_set', 'feature_flag'] as const) {
    const [row] = reader.audit({ component: componentId(type, set), kind: 'renamed', limit: 1 })
    const key = (row?.before as { key?: string } | null | undefined)?.key
    if (key !== undefined && row!.generation !== null) return { key, generation: row!.generation }
  }
  return null
}

function unknown(
  view: ComponentView,
  set: string,
  generation: number,
  { definition }: Visibility,
): AlmanacError {
  const known = [...view.keys('config_set'), ...view.keys('feature_flag')].filter((key) => definition(key))
  return new AlmanacError(
    'config.unknown_set',
    `There is no set or flag "${set}" in generation ${generation}.${didYouMean(set, known)}`,
  )
}
