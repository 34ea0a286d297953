// Collects which fields clients use, and under which names, until they are written: a read writes nothing itself.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FieldUse } from '../../ports/field-use.ts'

export interface FieldUses {
  /** @param at ISO 8601 instant */
  note(client: string, used: readonly UsedField[], at: string): void
  /** The same for a list that is kept for many requests: until the next `take`, it is noted once for a client. */
  noteKept(client: string, used: readonly UsedField[], clock: Pick<Clock, 'now'>): void
  /** Uses of another thread. */
  add(uses: readonly FieldUse[]): void
  /** What was collected since, each use at most once a minute. */
  take(): FieldUse[]
  /** What was taken and could not be written; the next `take` returns it again. */
  putBack(uses: readonly FieldUse[]): void
}

export interface UsedField {
  object: ObjectId
  field: FieldId
  name: string
}

export function createFieldUses(): FieldUses {
  const waiting = new Map<string, FieldUse>()
  /** The kept lists that each client has used since the last `take`. */
  const noted = new Map<string, Set<readonly UsedField[]>>()
  /** The minute in which each use was last taken. */
  const taken = new Map<string, string>()
  const add = (use: FieldUse): void => {
    const place = placeOf(use)
    if ((taken.get(place) ?? '') < use.at && (waiting.get(place)?.at ?? '') < use.at) waiting.set(place, use)
  }
  const note: FieldUses['note'] = (client, used, at) => {
    const minute = `${at.slice(0, 16)}:00.000Z`
    for (const { object, field, name } of used) add({ client, object, field, name, at: minute })
  }
  return {
    note,
    noteKept: (client, used, clock) => {
      let lists = noted.get(client)
      if (lists === undefined) noted.set(client, (lists = new Set()))
      if (lists.has(used)) return
      lists.add(used)
      note(client, used, clock.now())
    },
    add: (uses) => uses.forEach(add),
    take: () => {
      const uses = [...waiting.values()]
      for (const [place, { at }] of waiting) taken.set(place, at)
      waiting.clear()
      noted.clear()
      return uses
    },
    putBack: (uses) => {
      for (const use of uses) {
        taken.delete(placeOf(use))
        add(use)
      }
    },
  }
}

function placeOf({ client, object, field, name }: FieldUse): string {
  return `${client} ${object} ${field} ${name}`
}
