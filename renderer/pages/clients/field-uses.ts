// The uses of a client by field: each with the names under which it was used, the latest first.
import type { ClientUse } from '../../api/clients.ts'

export interface UsedField {
  object: string
  /** Null if the field no longer exists. */
  field: string | null
  /** The names that differ from the key, such as former names. */
  aliases: string[]
  /** The last use. */
  at: string
  /** Until when the field cannot be removed; null if it can be. */
  keptUntil: string | null
}

const dayMs = 86_400_000

/** @param windowDays days after its last use in which a field cannot be removed */
export function fieldUses(uses: readonly ClientUse[], windowDays: number, now: Date): UsedField[] {
  const fields = new Map<string, UsedField>()
  for (const { kind, object, field, name, at } of uses) {
    if (kind === 'object') continue
    const place = field === null ? `${object} ${name}` : `${object}.${field}`
    const known = fields.get(place)
    const aliases = name === field ? (known?.aliases ?? []) : [...(known?.aliases ?? []), name]
    const last = known === undefined || at > known.at ? at : known.at
    fields.set(place, { object: object ?? '', field, aliases: aliases.toSorted(), at: last, keptUntil: null })
  }
  return [...fields.values()]
    .map((use) => ({ ...use, keptUntil: keptUntil(use, windowDays, now) }))
    .toSorted(
      (a, b) =>
        Number(b.at > a.at) - Number(a.at > b.at) ||
        `${a.object}.${a.field}`.localeCompare(`${b.object}.${b.field}`),
    )
}

function keptUntil({ field, at }: UsedField, windowDays: number, now: Date): string | null {
  const until = new Date(Date.parse(at) + windowDays * dayMs)
  return field === null || until <= now ? null : until.toISOString()
}
