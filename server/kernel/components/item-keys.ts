// Which property identifies the items of a list of a body, so that two versions are compared item by item. Not in
// the rooms, because the studio compares versions without their schemas.
import type { ComponentType } from './component.ts'

/** JSON pointer below the body with `*` for any step → property: `/fields` → `key`. */
export type ItemKeys = Readonly<Record<string, string>>

const itemKeys: Readonly<Record<ComponentType, ItemKeys>> = {
  config_set: { '/fields': 'key' },
  config_entry: {},
  feature_flag: {},
  value_set: { '/values': 'key' },
  calc_function: { '/params': 'key' },
  object: { '/fields': 'key', '/validationRules': 'key', '/sharing/rules': 'key' },
  automation: { '/params': 'key', '/actions': 'key' },
  layout: { '/sections': 'id', '/sections/*/items': 'id' },
  list_view: { '/orderBy': 'field' },
  app: {
    '/pages': 'key',
    '/pages/*/sections': 'id',
    '/pages/*/sections/*/items': 'id',
    '/flows': 'key',
    '/flows/*/steps': 'key',
    '/flows/*/steps/*/sections': 'id',
    '/flows/*/steps/*/sections/*/items': 'id',
  },
  permission_set: {},
  external_credential: { '/principals': 'key', '/parameters': 'name' },
  named_credential: {},
  external_service: {},
  webhook_endpoint: {},
  external_data_source: {},
  event_channel: { '/schema': 'key' },
  integration_client: {},
}

/** Returns the properties that identify the items of lists of a type. */
export function itemKeysOf(type: ComponentType): ItemKeys {
  return itemKeys[type]
}

/**
 * Returns the property that identifies the items of a list, or null if none does.
 * @param place of the list in the component, as property names, with `*` for an item: `body`, `pages`, `*`, `sections`
 */
export function keyOfItems(place: readonly string[], keys: ItemKeys): string | null {
  if (place[0] !== 'body') return null
  const below = place.slice(1)
  for (const [pattern, key] of Object.entries(keys)) {
    const steps = pattern.split('/').slice(1)
    if (steps.length === below.length && steps.every((step, index) => step === '*' || step === below[index]))
      return key
  }
  return null
}
