// The first body of a new component: the parts that every component of its type has, so the form shows the right
// fields.
import type { ComponentType } from '#kernel/components/component.ts'
import type { JsonObject } from '../../api/wire.ts'

/**
 * Returns the first body of a type; an entry already names its set. A set or flag without grants is invisible to every
 * user, so it starts with grants for its author's own permission sets.
 */
export function firstBody(type: ComponentType, key: string, mySets: readonly string[]): JsonObject {
  const grants = {
    read: Object.fromEntries(mySets.map((name) => [name, 'read'])),
    edit: Object.fromEntries(mySets.map((name) => [name, 'edit'])),
  }
  switch (type) {
    case 'config_set':
      return { cardinality: 'singleton', scopes: ['org'], effectiveDated: false, fields: [], ...grants }
    case 'config_entry':
      return { set: key.split('.')[0] ?? '', scope: { kind: 'org' }, values: {} }
    case 'feature_flag':
      return { scopes: ['org'], default: false, ...grants }
    case 'value_set':
      return { values: [] }
    case 'object':
      return { storage: 'local', fields: [] }
    case 'external_service':
      return { spec: { format: 'openapi_3_1' } }
    case 'calc_function':
      return { params: [], returns: 'number', expression: '' }
    default:
      return {}
  }
}
