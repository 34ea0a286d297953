// Fills in the values of a preset: what other presets set in the same place is removed, everything else stays.
import type { FormPreset } from '#kernel/components/form.ts'
import type { JsonObject } from '../api/wire.ts'
import type { FieldChange } from './dependent-fields.ts'
import { isObject } from './widget.ts'

export function presetChanges(
  body: JsonObject,
  presets: readonly FormPreset[],
  chosen: FormPreset,
): FieldChange[] {
  return Object.entries(chosen.values).map(([name, values]) => {
    const known = new Set(presets.flatMap((preset) => Object.keys(preset.values[name] ?? {})))
    const before = isObject(body[name]) ? body[name] : {}
    const kept = Object.entries(before).filter(([member]) => !known.has(member))
    return { path: [name], value: { ...Object.fromEntries(kept), ...values } }
  })
}

/** The preset whose values the body has; undefined without one. */
export const presetOf = (body: JsonObject, presets: readonly FormPreset[]): FormPreset | undefined =>
  presets.find((preset) =>
    presetChanges(body, presets, preset).every(
      ({ path, value }) => sorted(value) === sorted(body[String(path[0])]),
    ),
  )

const sorted = (value: unknown): string =>
  JSON.stringify(
    isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : (value ?? null),
  )
