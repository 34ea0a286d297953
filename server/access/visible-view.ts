// A view without what its reader cannot see, so that every engine over it behaves as if the rest did not exist.
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import { componentTypes, type ComponentType } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { createVisibility, type Visibility } from './visibility.ts'

const isHideable = (type: ComponentType): boolean =>
  type === 'config_set' || type === 'feature_flag' || type === 'config_entry'

const setOfEntry = (key: string): string => key.slice(0, key.indexOf('.'))

/** The view without some sets and flags and all of their entries; the view itself if it has none of them. */
export function viewWithout(view: ComponentView, hides: (set: string) => boolean): ComponentView {
  const hidden = new Set(
    (['config_set', 'feature_flag'] as const).flatMap((type) => [...view.keys(type)].filter(hides)),
  )
  return hidden.size === 0
    ? view
    : visibleView(
        view,
        createVisibility((set) => !hidden.has(set)),
      )
}

/** The components of `view` that `visibility` shows. Entries of a hidden set are not read. */
export function visibleView(view: ComponentView, visibility: Visibility): ComponentView {
  const ifVisible = <C extends Component>(component: C | undefined): C | undefined =>
    component !== undefined && visibility.canSeeComponent(component) ? component : undefined
  const isShown = (type: ComponentType, key: string): boolean => {
    if (type === 'config_entry') return visibility.canSeeValues(setOfEntry(key))
    return type === 'config_set' || type === 'feature_flag' ? visibility.canSeeDefinition(key) : true
  }
  // There are many entries and few sets.
  const hidesNothing = (): boolean =>
    (['config_set', 'feature_flag'] as const).every((type) =>
      [...view.keys(type)].every(visibility.canSeeValues),
    )
  const keys = function* (type: ComponentType): Iterable<string> {
    for (const key of view.keys(type)) if (isShown(type, key)) yield key
  }
  /** Sorts like the entries' keys, because "." sorts before every character of a key. */
  const shownOwners = (): string[] =>
    (['config_set', 'feature_flag'] as const)
      .flatMap((type) => [...view.keys(type)])
      .filter(visibility.canSeeValues)
      .sort()
  const list = function* <T extends ComponentType>(type: T): Iterable<ComponentOf<T>> {
    if (type === 'config_entry' && !hidesNothing())
      for (const set of shownOwners()) yield* view.entriesOf(set) as Iterable<ComponentOf<T>>
    else
      for (const component of view.list(type))
        if (visibility.canSeeComponent(component as Component)) yield component
  }
  return {
    get: (type, key) =>
      isShown(type, key) ? (ifVisible(view.get(type, key) as Component | undefined) as never) : undefined,
    has: (type, key) => isShown(type, key) && view.has(type, key),
    keys,
    list,
    entriesOf: (set) => (visibility.canSeeValues(set) ? view.entriesOf(set) : []),
    entriesAt: (set, businessKey) => (visibility.canSeeValues(set) ? view.entriesAt(set, businessKey) : []),
    count: (type) => {
      if (!isHideable(type) || hidesNothing()) return view.count(type)
      let count = 0
      for (const _ of keys(type)) count += 1
      return count
    },
    serviceTypes: (hash) => view.serviceTypes(hash),
    *all() {
      for (const type of componentTypes) yield* list(type) as Iterable<Component>
    },
  }
}
