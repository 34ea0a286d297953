// The components that a value was computed from, and those that have a different key today.
import type { ComponentId, ComponentType } from '#kernel/components/component.ts'
import type { Binding } from '#kernel/config/index.ts'
import type { ExprRename } from '#kernel/expr/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { componentToday, findSetOrFlagAt, type ComponentRef } from './component-today.ts'

/** By id: everything that the value was computed from, including what only calc functions read. */
export function boundComponentsOf(
  reader: Pick<OrgReader, 'identities'>,
  { config, functions }: Pick<Binding, 'config' | 'functions'>,
  generation: number,
): Map<ComponentId, ComponentRef> {
  const named = [
    ...Object.keys(config).flatMap((key) => findSetOrFlagAt(reader, key, generation) ?? []),
    ...Object.keys(functions).map((key): ComponentRef => ({ type: 'calc_function', key })),
  ]
  return new Map(named.map((each) => [`${each.type}/${each.key}`, each]))
}

export interface RenamedComponent extends ComponentRef {
  /** The key today. */
  to: string
  /** The generation that gave it the key. */
  at: number
}

export function renamedSince(
  reader: Pick<OrgReader, 'identities'>,
  components: Iterable<ComponentRef>,
  generation: number,
): RenamedComponent[] {
  return [...components].flatMap((named) => {
    const today = componentToday(reader, named, generation)
    if (today === null || today.key === null || today.key === named.key) return []
    return [{ ...named, to: today.key, at: today.renamedAt! }]
  })
}

const kindOfType: Partial<Record<ComponentType, ExprRename['kind']>> = {
  config_set: 'set',
  feature_flag: 'flag',
  calc_function: 'function',
}

/** The renames that an expression can contain. */
export function expressionRenames(renames: readonly (ComponentRef & { to: string })[]): ExprRename[] {
  return renames.flatMap(({ type, key, to }): ExprRename[] => {
    const kind = kindOfType[type]
    return kind === undefined ? [] : [{ kind, from: key, to }]
  })
}
