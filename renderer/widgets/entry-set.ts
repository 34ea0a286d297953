// The parts that a form needs of the declaration of an entry's set or flag.
import type { ScopeKind } from '#kernel/components/scopes.ts'
import { computed, type ComputedRef } from 'vue'
import type { JsonObject } from '../api/wire.ts'
import { useCatalogue } from '../stores/catalogue.ts'
import { asNames, asText, isObject } from './widget.ts'

export interface EntryField {
  key: string
  type: string
  label: string
  help: string
  required: boolean
  scale?: number
  precision?: number
  valueSet?: string
}

export interface EntrySet {
  key: string
  kind: 'config_set' | 'feature_flag'
  scopes: ScopeKind[]
  dated: boolean
  keyedBy: { key: string; type: string; valueSet?: string } | null
  fields: EntryField[]
}

/** The declaration by the key of a set or flag; null if neither is known (yet). */
export function entrySetOf(catalogue: ReturnType<typeof useCatalogue>, key: string): EntrySet | null {
  if (key === '') return null
  if (catalogue.list('config_set').some((row) => row.key === key)) {
    const set = catalogue.envelope('config_set', key)
    return set ? setOf(key, set.body) : null
  }
  const flag = catalogue.list('feature_flag').some((row) => row.key === key)
    ? catalogue.envelope('feature_flag', key)
    : null
  if (!flag) return null
  const scopes = withOrg(flag.body.scopes)
  const value = { key: 'value', type: 'boolean', label: 'Value', help: 'On or off for them.', required: true }
  return { key, kind: 'feature_flag', scopes, dated: false, keyedBy: null, fields: [value] }
}

/** The declaration for the entry whose body is `holder`. */
export function useEntrySet(holder: () => JsonObject): ComputedRef<EntrySet | null> {
  const catalogue = useCatalogue()
  return computed(() => entrySetOf(catalogue, asText(holder().set)))
}

/** The declaration in a set's body. */
export function setOf(key: string, body: JsonObject): EntrySet {
  const keyedBy = isObject(body.keyedBy) && body.cardinality === 'keyed' ? body.keyedBy : null
  return {
    key,
    kind: 'config_set',
    scopes: withOrg(body.scopes),
    dated: body.effectiveDated === true,
    keyedBy: keyedBy && {
      key: asText(keyedBy.key),
      type: asText(keyedBy.type),
      valueSet: typeof keyedBy.valueSet === 'string' ? keyedBy.valueSet : undefined,
    },
    fields: (Array.isArray(body.fields) ? body.fields : []).filter(isObject).map(fieldOf),
  }
}

function fieldOf(field: JsonObject): EntryField {
  const key = asText(field.key)
  return {
    key,
    type: asText(field.type),
    label: asText(field.label) || key,
    help: asText(field.help),
    required: field.required === true,
    scale: typeof field.scale === 'number' ? field.scale : undefined,
    precision: typeof field.precision === 'number' ? field.precision : undefined,
    valueSet: typeof field.valueSet === 'string' ? field.valueSet : undefined,
  }
}

function withOrg(scopes: unknown): ScopeKind[] {
  return [...new Set([...asNames(scopes), 'org'])] as ScopeKind[]
}
