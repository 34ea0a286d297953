// A view without what its reader may not see, so that every engine over it answers as if that did not exist.
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentType } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Visibility } from './visibility.ts'

/** The components of `view` that `visibility` shows. Counting reads the type's components where some may be hidden. */
export function visibleView(view: ComponentView, visibility: Visibility): ComponentView {
  const shown = <C extends Component>(component: C | undefined): C | undefined =>
    component !== undefined && visibility.component(component) ? component : undefined
  const mayHide = (type: ComponentType): boolean =>
    type === 'config_set' || type === 'feature_flag' || type === 'config_entry'
  // Entries are many and sets are few.
  const hidesNothing = (): boolean =>
    (['config_set', 'feature_flag'] as const).every((type) => [...view.keys(type)].every(visibility.values))
  return {
    get: (type, key) => shown(view.get(type, key) as Component | undefined) as never,
    has: (type, key) =>
      mayHide(type) ? shown(view.get(type, key) as Component | undefined) !== undefined : view.has(type, key),
    *keys(type) {
      if (!mayHide(type)) yield* view.keys(type)
      else
        for (const component of view.list(type))
          if (visibility.component(component as Component)) yield component.key
    },
    *list<T extends ComponentType>(type: T): Iterable<ComponentOf<T>> {
      for (const component of view.list(type))
        if (visibility.component(component as Component)) yield component
    },
    entriesOf: (set) => (visibility.values(set) ? view.entriesOf(set) : []),
    entriesAt: (set, businessKey) => (visibility.values(set) ? view.entriesAt(set, businessKey) : []),
    count: (type) => {
      if (!mayHide(type) || hidesNothing()) return view.count(type)
      let count = 0
      for (const component of view.list(type)) if (visibility.component(component as Component)) count += 1
      return count
    },
    *all() {
      for (const component of view.all()) if (visibility.component(component)) yield component
    },
  }
}
