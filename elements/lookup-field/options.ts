// Normalises the response of a source: no option without an id, no duplicates, only texts
// (docs/reference/lookup-field.md).
import type { LookupAnswer, LookupOption } from './types.ts'

export interface AnswerPage {
  options: LookupOption[]
  next: unknown
  total: number | null
}

/** `knownIds`: the ids that are already in the list. @throws TypeError if the response is not a list */
export function normalizeAnswer(answer: LookupAnswer, knownIds: Set<string> = new Set()): AnswerPage {
  const page = (Array.isArray(answer) ? { options: answer } : answer) as
    { options?: readonly LookupOption[]; next?: unknown; total?: number } | null | undefined
  if (!Array.isArray(page?.options)) throw new TypeError('no list of options')
  const options: LookupOption[] = []
  for (const item of page.options as readonly (Partial<LookupOption> | null)[]) {
    const option = optionFrom(item)
    if (!option) continue
    // An option that creates its record does not have an id yet.
    const { size } = knownIds
    knownIds.add(option.value || `\0${option.label}`)
    if (knownIds.size > size) options.push(option)
  }
  return {
    options,
    next: page.next || null,
    total: Number.isInteger(page.total) ? page.total! : null,
  }
}

/** Null for an option that cannot be chosen. */
function optionFrom(candidate: Partial<LookupOption> | null): LookupOption | null {
  const { value, label, sublabel, fields, group, href, make } = candidate ?? {}
  const option: LookupOption = {
    value: text(value),
    label: text(label).trim() || text(value),
    sublabel,
    fields,
    group: text(group) || undefined,
    href: text(href) || undefined,
    make: typeof make === 'function' ? make : undefined,
  }
  // An option that creates its record does not have an id yet.
  return option.value || (option.make && option.label) ? option : null
}

/** The second line of an option: its own, or the display fields in the order given. */
export function secondLine({ sublabel, fields }: LookupOption, displayFields: readonly string[]): string {
  if (sublabel != null) return text(sublabel)
  if (displayFields.length === 0) return ''
  try {
    return displayFields
      .map((field) => text(fields?.[field]))
      .filter(Boolean)
      .join(', ')
  } catch {
    // A field that cannot be read is omitted.
    return ''
  }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  return /number|boolean|bigint/.test(typeof value) ? String(value) : ''
}
