// Which property identifies the items of a list of a body, so that two versions are compared item by item. Apart from
// the rooms, because the studio compares without their schemas.
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
