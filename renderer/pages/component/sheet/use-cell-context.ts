// The context of cells in addition to their columns: value sets with their labels, and the set's scope chain.
import { computed, type ComputedRef } from 'vue'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { valuesByKey } from '#kernel/components/value-set/members.ts'
import type { Envelope } from '../../../api/wire.ts'
import { useCatalogue } from '../../../stores/catalogue.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import { asText, isObject } from '../../../widgets/widget.ts'
import type { CellContext } from './cell-text.ts'

export interface NamedContext extends CellContext {
  /** Labels of a value set's members by their key. */
  labels: (valueSet: string) => ReadonlyMap<string, string>
}

const none: ReadonlyMap<string, string> = new Map()

export function useCellContext(declared: ComputedRef<EntrySet>): ComputedRef<NamedContext> {
  const catalogue = useCatalogue()
  return computed(() => {
    const { keyedBy, fields, scopes } = declared.value
    const named = [keyedBy?.valueSet, ...fields.map(({ valueSet }) => valueSet)].filter(
      (key) => key !== undefined,
    )
    const sets = new Map(
      [...new Set(named)].flatMap((key) => {
        const envelope = catalogue.envelope('value_set', key)
        return envelope ? [[key, readSet(envelope)] as const] : []
      }),
    )
    const labels = new Map(
      [...sets].map(([key, set]) => [
        key,
        new Map([...valuesByKey(set)].map(([member, { label }]) => [member, label])),
      ]),
    )
    return { valueSet: (key) => sets.get(key), scopes, labels: (key) => labels.get(key) ?? none }
  })
}

const read = new WeakMap<Envelope, ComponentOf<'value_set'>>()

/** The readable part of a value set, which can be half typed. The same object for the same envelope. */
function readSet(envelope: Envelope): ComponentOf<'value_set'> {
  let set = read.get(envelope)
  if (set === undefined) {
    const given = Array.isArray(envelope.body?.values) ? envelope.body.values : []
    const values = given
      .filter(isObject)
      .map(({ key, label, active }) => ({ key: asText(key), label: asText(label), active: active !== false }))
    set = { type: 'value_set', key: envelope.key, label: envelope.label, body: { values } }
    read.set(envelope, set)
  }
  return set
}
