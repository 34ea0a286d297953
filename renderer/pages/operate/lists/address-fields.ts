// Fields of a filter as they are in the address: an empty one, or one that is not known, is left out.
import type { LocationQuery } from 'vue-router'

export const textOf = (value: LocationQuery[string] | undefined): string =>
  typeof value === 'string' ? value : ''

/** Empty unless it is one of the options. */
export const known = <T extends string>(options: readonly { value: T }[], value: string): T | '' =>
  options.find((each) => each.value === value)?.value ?? ''

/** Without empty fields, and with `true` for those that are on. */
export const queryOf = (fields: Readonly<Record<string, string | boolean>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === '' || value === false ? [] : [[name, String(value)]],
    ),
  )

export const or = (value: string): string | undefined => (value === '' ? undefined : value)
