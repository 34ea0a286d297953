// The view that an expression of a user about records is compiled over: what the user cannot read is refused by the same
// error as what does not exist (docs/reference/access.md).
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Visibility } from './visibility.ts'
import { visibleView } from './visible-view.ts'

interface ReadAccess {
  canSeeObject(object: string): boolean
  canReadField(object: string, field: string): boolean
}

/** Without the sets and flags that the user must not know of, hidden objects, and fields that the user cannot read. */
export function readableView(view: ComponentView, visibility: Visibility, access: ReadAccess): ComponentView {
  const visible = visibleView(view, visibility)
  const shown = new Map<string, ComponentOf<'object'>>()
  const objectOf = (key: string): ComponentOf<'object'> | undefined => {
    const object = access.canSeeObject(key) ? view.get('object', key) : undefined
    if (object === undefined) return undefined
    if (!shown.has(key)) shown.set(key, withoutHiddenFields(object, access))
    return shown.get(key)
  }
  return {
    ...visible,
    get: (type, key) => (type === 'object' ? objectOf(key) : visible.get(type, key)) as never,
    has: (type, key) => visible.has(type, key) && (type !== 'object' || access.canSeeObject(key)),
    *keys(type) {
      for (const key of visible.keys(type)) if (type !== 'object' || access.canSeeObject(key)) yield key
    },
    *list(type) {
      if (type !== 'object') return yield* visible.list(type)
      for (const key of view.keys('object')) {
        const object = objectOf(key)
        if (object !== undefined) yield object as never
      }
    },
  }
}

function withoutHiddenFields(
  object: ComponentOf<'object'>,
  access: Pick<ReadAccess, 'canReadField'>,
): ComponentOf<'object'> {
  const fields = object.body.fields.filter(({ key }) => access.canReadField(object.key, key))
  return { ...object, body: { ...object.body, fields } } as ComponentOf<'object'>
}
