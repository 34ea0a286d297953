// The values that an explanation shows, in words: labels of value sets instead of their keys, dates as people read them.
import { shallowRef, watch } from 'vue'
import type { FieldDescription, RecordValue, ValueExplanationView } from '../../api/records.ts'
import { isObject } from '../../widgets/widget.ts'
import { useCatalogue } from '../../stores/catalogue.ts'
import { useOrg } from '../../stores/org.ts'
import { valueWords } from '../../text/words.ts'
import { labelOf, recordValueWords } from './record-words.ts'
import { describedObject } from './record-source.ts'

/** @param explained null while nothing is explained */
export function useExplainedWords(explained: () => ValueExplanationView | null) {
  const org = useOrg()
  const catalogue = useCatalogue()
  /** The fields that the expression reads, by path; without those that the user cannot see. */
  const fields = shallowRef<ReadonlyMap<string, FieldDescription>>(new Map())

  watch(explained, async (now) => {
    fields.value = new Map()
    if (now === null) return
    const paths = [now.field, ...now.inputs.map(({ path }) => path)]
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
  ): Promise<FieldDescription | undefined> {
    const { fields: known } = await describedObject(object, org.epoch)
    const field = known.find(({ key }) => key === first)
    if (field === undefined || rest.length === 0) return field
    return field.references === null ? undefined : fieldAlong(field.references, rest)
  }

  /** The value of a field, by its path from the record. */
  function fieldWords(path: string, value: unknown): string {
    if (value === null || value === undefined) return 'absent'
    const field = fields.value.get(path)
    const isPlain = typeof value === 'string' || typeof value === 'boolean'
    if (field === undefined || !isPlain || field.references !== null) return valueWords(value)
    return recordValueWords(field, value as RecordValue)
  }

  /** The value of a field of an entry. */
  function entryWords(set: string, key: string, value: unknown): string {
    if (typeof value !== 'string') return valueWords(value)
    const declared = catalogue.envelope('config_set', set)?.body['fields']
    const field = Array.isArray(declared)
      ? declared.filter(isObject).find((each) => each.key === key)
      : undefined
    if (typeof field?.valueSet !== 'string') return valueWords(value)
    const members = catalogue.envelope('value_set', field.valueSet)?.body['values']
    const labels = (Array.isArray(members) ? members.filter(isObject) : []).map((each) => [
      String(each.key),
      String(each.label),
    ])
    return labelOf(Object.fromEntries(labels), value)
  }

  return { fieldWords, entryWords }
}
