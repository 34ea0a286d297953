// What an explanation shows, in words: labels of fields, sets and value sets beside or instead of their keys, dates as
// people read them.
import { normaliseNumber } from '#kernel/decimal/decimal.ts'
import { ref, shallowRef, watch } from 'vue'
import type { FieldDescription, RecordValue, ValueExplanationView } from '../../api/records.ts'
import { isObject } from '../../widgets/widget.ts'
import { useCatalogue } from '../../stores/catalogue.ts'
import { useOrg } from '../../stores/org.ts'
import { longDate, valueWords } from '../../text/words.ts'
import { labelOf, recordValueWords } from './record-words.ts'
import { describedObject } from './record-source.ts'

/** @param explained null while nothing is explained */
export function useExplainedWords(explained: () => ValueExplanationView | null) {
  const org = useOrg()
  const catalogue = useCatalogue()
  /** The fields that the expression reads, by path, after the references on their way; without those that the user cannot see. */
  const fields = shallowRef<ReadonlyMap<string, FieldDescription[]>>(new Map())
  /** What a roll-up is computed from, in words: in the generation of the value, and now. */
  const rollUp = ref('')
  const presentRollUp = ref('')

  watch(explained, async (now) => {
    fields.value = new Map()
    rollUp.value = now?.rollUp ? rollUpKeys(now.rollUp) : ''
    presentRollUp.value = now?.present?.rollUp ? rollUpKeys(now.present.rollUp) : ''
    if (now === null) return
    void rollUpWords(now.rollUp).then((words) => {
      if (words !== null && explained() === now) rollUp.value = words
    })
    void rollUpWords(now.present?.rollUp ?? null).then((words) => {
      if (words !== null && explained() === now) presentRollUp.value = words
    })
    const paths = [now.field, ...now.inputs.map(({ path }) => path)]
    if (now.asOf) paths.push(now.asOf.field)
    const found = await Promise.all(
      paths.map(async (path) => {
        const field = await fieldAlong(now.object, path.split('.')).catch(() => undefined)
        return field === undefined ? [] : [[path, field] as const]
      }),
    )
    if (explained() === now) fields.value = new Map(found.flat())
  })

  async function fieldAlong(
    object: string,
    [first, ...rest]: string[],
  ): Promise<FieldDescription[] | undefined> {
    const { fields: known } = await describedObject(object, org.epoch)
    const field = known.find(({ key }) => key === first)
    if (field === undefined || rest.length === 0) return field && [field]
    const further = field.references === null ? undefined : await fieldAlong(field.references, rest)
    return further && [field, ...further]
  }

  async function rollUpWords(definition: ValueExplanationView['rollUp']): Promise<string | null> {
    if (definition === null) return null
    const { op, child, of } = definition
    const described = await describedObject(child, org.epoch).catch(() => null)
    if (described === null) return null
    const field = described.fields.find(({ key }) => key === of)?.label ?? of
    return `${op} of ${described.label}${field === null ? '' : `: ${field}`}`
  }

  /** The label of a field by its path from the record: `Buyer: Country`. */
  function fieldLabel(path: string): string {
    return (
      fields.value
        .get(path)
        ?.map(({ label }) => label)
        .join(': ') ?? path
    )
  }

  /** The value of a field, by its path from the record. */
  function fieldWords(path: string, value: unknown): string {
    if (value === null || value === undefined) return 'absent'
    const field = fields.value.get(path)?.at(-1)
    const isPlain = typeof value === 'string' || typeof value === 'boolean'
    if (field === undefined || !isPlain || field.references !== null) return valueWords(value)
    return recordValueWords(field, inScale(field, value as RecordValue))
  }

  /** A number with the digits that its field stores; one that has more is shown as it is. */
  function inScale({ type, precision, scale }: FieldDescription, value: RecordValue): RecordValue {
    if (type !== 'number' || typeof value !== 'string' || precision == null || scale == null) return value
    const number = normaliseNumber(value, precision, scale)
    return number.ok ? number.text : value
  }

  function entryFields(set: string): Record<string, unknown>[] {
    const declared = catalogue.envelope('config_set', set)?.body['fields']
    return Array.isArray(declared) ? declared.filter(isObject) : []
  }

  /** The label of a field of an entry. */
  function entryLabel(set: string, key: string): string {
    const label = entryFields(set).find((each) => each.key === key)?.label
    return typeof label === 'string' ? label : key
  }

  /** The value of a field of an entry. */
  function entryWords(set: string, key: string, value: unknown): string {
    return declaredWords(
      entryFields(set).find((each) => each.key === key),
      value,
    )
  }

  /** The business key of an entry. */
  function keyWords(set: string, value: unknown): string {
    const declared = catalogue.envelope('config_set', set)?.body['keyedBy']
    return declaredWords(isObject(declared) ? declared : undefined, value)
  }

  function declaredWords(field: Record<string, unknown> | undefined, value: unknown): string {
    if (typeof value !== 'string') return valueWords(value)
    if (field?.type === 'date') return longDate(value)
    if (typeof field?.valueSet !== 'string') return value
    const members = catalogue.envelope('value_set', field.valueSet)?.body['values']
    const labels = (Array.isArray(members) ? members.filter(isObject) : []).map((each) => [
      String(each.key),
      String(each.label),
    ])
    return labelOf(Object.fromEntries(labels), value)
  }

  return { rollUp, presentRollUp, fieldLabel, fieldWords, entryLabel, entryWords, keyWords }
}

const rollUpKeys = ({ op, child, of }: NonNullable<ValueExplanationView['rollUp']>): string =>
  `${op} of ${child}${of === null ? '' : `.${of}`}`
