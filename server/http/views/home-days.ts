// The days on which values change without an apply, in the sets that the viewer can see. Computed once per set and day.
import { upcomingSteps, type SetSlice, type UpcomingChange, type UpcomingDay } from '#kernel/config/index.ts'
import { dateOf, type CivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { HomeChange, HomeDay } from '#wire/index.ts'
import { createYielder } from '../../pipeline/index.ts'
import type { RequestContext } from '../request-context.ts'
import type { Services } from '../services.ts'

/** Maximum number of listed changes to one set on one day. */
const maxChanges = 5

type Values = Readonly<Record<string, FieldValue>>
type ConfigSet = ComponentOf<'config_set'>

/** A slice never changes, so its result stays valid for that day. */
const daysCache = new WeakMap<SetSlice, { question: string; days: UpcomingDay[] }>()

type HomeDaysContext = Pick<RequestContext, 'snapshot' | 'shown' | 'visibility'> & { services: Services }

/** Ascending by day, then by set. */
export async function homeDays(
  { services, snapshot, shown, visibility }: HomeDaysContext,
  today: CivilDate,
  until: CivilDate,
): Promise<HomeDay[]> {
  const days: HomeDay[] = []
  for (const set of shown.list('config_set')) {
    if (!set.body.effectiveDated || !visibility.canSeeValues(set.key)) continue
    await services.org.load(snapshot, set.key)
    const slice = snapshot.sets.get(set.key)
    if (slice === undefined) continue
    for (const { day, total, changes } of await daysOf(slice, today, until))
      days.push({
        set: set.key,
        label: set.label,
        day: dateOf(day as DayNumber),
        changes: changes.map((change) => homeChange(change, set)),
        total,
      })
  }
  return days.sort((a, b) => (a.day === b.day ? compare(a.set, b.set) : compare(a.day, b.day)))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

async function daysOf(slice: SetSlice, today: CivilDate, until: CivilDate): Promise<UpcomingDay[]> {
  const question = `${today} ${until}`
  const found = daysCache.get(slice)
  if (found?.question === question) return found.days
  const days = await runSteps(upcomingSteps(slice, today, until, maxChanges))
  daysCache.set(slice, { question, days })
  return days
}

/** Runs the steps with other work in between, and returns their result. */
async function runSteps<T>(steps: Generator<undefined, T>): Promise<T> {
  const breathe = createYielder()
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    const pause = breathe()
    if (pause !== undefined) await pause
  }
}

function homeChange({ entry, key, scope, before, after }: UpcomingChange, set: ConfigSet): HomeChange {
  const fields = differingFields(before, after, set)
  const words = (values: Values | null): string | null =>
    values === null ? null : fields.map((field) => valueWords(values[field])).join(', ')
  return { entry, key, scope, before: words(before), after: words(after) }
}

/** Returns the fields whose values differ; all fields if there is nothing to compare with, or no difference. */
function differingFields(before: Values | null, after: Values | null, { body }: ConfigSet): string[] {
  const all = body.fields.map(({ key }) => key)
  if (before === null || after === null) return all
  const changed = all.filter((field) => before[field] !== after[field])
  return changed.length === 0 ? all : changed
}

const valueWords = (value: FieldValue | undefined): string =>
  value === null || value === undefined
    ? '–'
    : value === true
      ? 'yes'
      : value === false
        ? 'no'
        : String(value)
