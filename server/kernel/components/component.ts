// The component envelope and the names of the types.

export const componentTypes = [
  'config_set',
  'config_entry',
  'feature_flag',
  'value_set',
  'calc_function',
  'object',
  'automation',
  'layout',
  'list_view',
  'app',
  'permission_set',
  'external_credential',
  'named_credential',
  'external_service',
  'webhook_endpoint',
  'external_data_source',
  'event_channel',
  'integration_client',
] as const

export type ComponentType = (typeof componentTypes)[number]

/** `<type>/<key>`, the identity of a component within an org. */
export type ComponentId = `${ComponentType}/${string}`

/** The envelope. `body` is typed by the room of `type`; see `registry.ts` for `Component`. */
export interface Envelope<T extends ComponentType = ComponentType, B = unknown> {
  type: T
  key: string
  label: string
  body: B
}

/** Hints of the author for one apply: never digested, never retrieved, recorded in the audit. */
export interface ApplyHints {
  breaking?: boolean
  renamedFrom?: string
}

export function componentId(type: ComponentType, key: string): ComponentId {
  return `${type}/${key}`
}

export function idOf(component: { type: ComponentType; key: string }): ComponentId {
  return `${component.type}/${component.key}`
}

/** Splits an id at its first slash. @throws RangeError if the text is not a component id. */
export function splitId(id: string): { type: ComponentType; key: string } {
  const slash = id.indexOf('/')
  const type = id.slice(0, slash)
  if (slash < 1 || !isComponentType(type)) throw new RangeError(`"${id}" is not <type>/<key>`)
  return { type, key: id.slice(slash + 1) }
}

/** Whether a text is `<type>/<key>`. */
export function isComponentId(text: string): text is ComponentId {
  return text.includes('/') && isComponentType(text.slice(0, text.indexOf('/')))
}

export function isComponentType(text: string): text is ComponentType {
  return (componentTypes as readonly string[]).includes(text)
}

export function isEntryId(id: string): boolean {
  return id.startsWith('config_entry/')
}

const keyPattern = /^[a-z][a-z0-9_]*$/
export const maxKeyLength = 80

/** Returns null if `key` is a valid key of `type`; otherwise what is wrong and how to fix it. */
export function explainKey(type: ComponentType, key: string): string | null {
  const parts = type === 'config_entry' ? key.split('.') : [key]
  if (type === 'config_entry' && parts.length !== 2)
    return `The key of an entry is <set>.<slug>, for example "vat_rate.de_2021"; "${key}" has ${parts.length - 1} dots.`
  for (const part of parts) {
    if (part.length > maxKeyLength)
      return `"${part}" has ${part.length} characters; a key can have at most ${maxKeyLength}.`
    if (!keyPattern.test(part))
      return `"${part}" is not a valid key: start with a lower-case letter a to z, and use only lower-case letters, digits and underscores.`
  }
  return null
}
