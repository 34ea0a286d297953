// The icon of each component type.
import type { ComponentType } from '#kernel/components/component.ts'
import type { IconName } from './icons.ts'

export const typeIcons = {
  config_set: 'set',
  config_entry: 'entry',
  feature_flag: 'flag',
  value_set: 'layers',
  calc_function: 'formula',
  object: 'cube',
  automation: 'pulse',
  layout: 'splitv',
  list_view: 'table',
  app: 'box',
  permission_set: 'rule',
  external_credential: 'key',
  named_credential: 'plug',
  external_service: 'api',
  webhook_endpoint: 'hook',
  external_data_source: 'db',
  event_channel: 'stream',
  integration_client: 'client',
} as const satisfies Record<ComponentType, IconName>

/** The icon of `<type>/<key>`. */
export function iconOfId(id: string): IconName {
  const type = id.slice(0, id.indexOf('/'))
  return (typeIcons as Record<string, IconName>)[type] ?? 'dot'
}
