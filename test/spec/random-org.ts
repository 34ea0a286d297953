// Random orgs and random edits: rates set and corrected retroactively, ranges split and moved, keys and scopes added
// and removed, flags turned. Every generation satisfies the coverage rules (docs/reference/resolution-and-dates.md).
import type { ModelEntry, ModelOrg, ModelQuestion, ModelSet, Requester } from './reference-model.ts'

/** A random source that a seed repeats. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 to `count - 1`. */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  often(percent: number): boolean {
    return this.below(100) < percent
  }

  /** Any day of 2000 to 2029. */
  day(): string {
    const two = (count: number) => String(count).padStart(2, '0')
    return `${2000 + this.below(30)}-${two(1 + this.below(12))}-${two(1 + this.below(28))}`
  }

  value(): number {
    return this.below(1_000_000)
  }
}

const names = {
  user: ['ann', 'ben'],
  permission_set: ['ps_a', 'ps_b', 'ps_c'],
  locale: ['de', 'de-AT', 'fr'],
  app: ['shop', 'desk'],
  environment: ['prod', 'test'],
} as const
type Narrow = keyof typeof names
const narrow = Object.keys(names) as Narrow[]
const businessKeys = ['DE', 'AT', 'FR', 'GR-69', '7']

export function randomOrg(chance: Chance): ModelOrg {
  const kinds = (): ModelSet['kinds'] => [...narrow.filter(() => chance.often(40)), 'org']
  const sets: ModelSet[] = [
    { key: 'rates', flag: false, dated: true, keyed: true, kinds: kinds(), fallback: false },
    { key: 'terms', flag: false, dated: true, keyed: false, kinds: kinds(), fallback: false },
    { key: 'base', flag: false, dated: false, keyed: false, kinds: kinds(), fallback: false },
    { key: 'turbo', flag: true, dated: false, keyed: false, kinds: kinds(), fallback: chance.often(50) },
  ]
  const org: ModelOrg = { sets, entries: [], factor: 1 + chance.below(5) }
  for (const set of sets) {
    if (set.flag) continue
    const keys = set.keyed ? businessKeys.filter(() => chance.often(70)) : [null]
    for (const business of keys) addLane(org, chance, set, business, 'org', '')
  }
  return org
}

/** A few edits; the org that is passed stays unchanged. */
export function edited(before: ModelOrg, chance: Chance): ModelOrg {
  const org: ModelOrg = {
    ...before,
    sets: before.sets.map((set) => ({ ...set })),
    entries: before.entries.map((entry) => ({ ...entry })),
  }
  for (let turn = 1 + chance.below(4); turn > 0; turn -= 1) edits[chance.below(edits.length)]!(org, chance)
  return org
}

export function randomRequester(chance: Chance): Requester {
  return {
    ...(chance.often(50) ? { user: chance.of([...names.user, 'eve']) } : {}),
    ...(chance.often(50) ? { permission_set: names.permission_set.filter(() => chance.often(50)) } : {}),
    ...(chance.often(50) ? { locale: chance.of(['de', 'de-AT', 'de-AT-1996', 'fr-CH', 'en']) } : {}),
    ...(chance.often(50) ? { app: chance.of(names.app) } : {}),
    environment: chance.of([...names.environment, 'dev']),
  }
}

export function randomQuestion(chance: Chance): ModelQuestion {
  const set = chance.of(['rates', 'rates', 'terms', 'base'])
  const business = set === 'rates' ? chance.of([...businessKeys, 'XX']) : null
  if (chance.often(30)) return { form: 'switch', flag: 'turbo', amount: chance.value() }
  return chance.often(50)
    ? { form: 'value', set, business }
    : { form: 'times', set, business, amount: chance.value() }
}

type Edit = (org: ModelOrg, chance: Chance) => void

/** Edits of one row reach into the past as often as into the future: days are drawn from thirty years. */
const edits: readonly Edit[] = [
  correct,
  correct,
  split,
  split,
  moveBoundary,
  startEarlier,
  endNarrower,
  addNarrower,
  dropNarrower,
  addKey,
  dropKey,
  turnFlag,
  changeFee,
]

/** Corrects a value for its whole range. */
function correct(org: ModelOrg, chance: Chance): void {
  if (org.entries.length === 0) return
  const entry = chance.of(org.entries)
  entry.value = typeof entry.value === 'boolean' ? !entry.value : chance.value()
}

/** Sets a different value from a day within a row on. */
function split(org: ModelOrg, chance: Chance): void {
  const day = chance.day()
  const around = org.entries.filter(
    ({ from, to }) => from !== null && from < day && (to === null || day < to),
  )
  if (around.length === 0) return
  const earlier = chance.of(around)
  org.entries.push({ ...earlier, key: freshKey(org, earlier.set), from: day, value: chance.value() })
  earlier.to = day
}

/** Moves the day on which one row ends and the next begins. */
function moveBoundary(org: ModelOrg, chance: Chance): void {
  const later = chance.of(org.entries)
  const earlier = org.entries.find(
    (entry) => sameLane(entry, later) && entry.to !== null && entry.to === later.from,
  )
  const day = chance.day()
  if (earlier === undefined || day <= earlier.from! || (later.to !== null && day >= later.to)) return
  earlier.to = day
  later.from = day
}

function startEarlier(org: ModelOrg, chance: Chance): void {
  const firsts = org.entries.filter(
    (entry) =>
      entry.from !== null &&
      !org.entries.some((other) => sameLane(entry, other) && other.from! < entry.from!),
  )
  const entry = chance.of(firsts)
  const day = chance.day()
  if (day < entry.from!) entry.from = day
}

/** A narrower scope can end; resolution then falls through. */
function endNarrower(org: ModelOrg, chance: Chance): void {
  const open = org.entries.filter((entry) => entry.kind !== 'org' && entry.from !== null && entry.to === null)
  if (open.length === 0) return
  const entry = chance.of(open)
  const day = chance.day()
  if (day > entry.from!) entry.to = day
}

function addNarrower(org: ModelOrg, chance: Chance): void {
  const set = chance.of(org.sets)
  const kinds = set.kinds.filter((kind) => kind !== 'org')
  if (kinds.length === 0) return
  const kind = chance.of(kinds) as Narrow
  const keys = set.flag
    ? [null]
    : [...new Set(org.entries.filter((each) => each.set === set.key).map(({ business }) => business))]
  if (keys.length > 0) addLane(org, chance, set, chance.of(keys), kind, chance.of<string>(names[kind]))
}

function dropNarrower(org: ModelOrg, chance: Chance): void {
  const narrower = org.entries.filter(({ kind }) => kind !== 'org')
  if (narrower.length === 0) return
  const lane = chance.of(narrower)
  org.entries = org.entries.filter((entry) => !sameLane(entry, lane))
}

function addKey(org: ModelOrg, chance: Chance): void {
  const rates = org.sets.find(({ key }) => key === 'rates')!
  addLane(org, chance, rates, chance.of(businessKeys), 'org', '')
}

function dropKey(org: ModelOrg, chance: Chance): void {
  const business = chance.of(businessKeys)
  org.entries = org.entries.filter((entry) => entry.set !== 'rates' || entry.business !== business)
}

function turnFlag(org: ModelOrg): void {
  const flag = org.sets.find(({ key }) => key === 'turbo')!
  flag.fallback = !flag.fallback
}

function changeFee(org: ModelOrg, chance: Chance): void {
  org.factor = 1 + chance.below(5)
}

/** Consecutive rows of one scope from some day on; none if the scope has rows already. */
function addLane(
  org: ModelOrg,
  chance: Chance,
  { key: set, dated, flag }: ModelSet,
  business: string | null,
  kind: ModelEntry['kind'],
  name: string,
): void {
  const value = (): number | boolean => (flag ? chance.often(50) : chance.value())
  // A different priority for each permission set, so that no two tie.
  const priority = kind === 'permission_set' ? names.permission_set.indexOf(name as 'ps_a') : null
  const lane = { set, business, kind, name, priority }
  if (org.entries.some((entry) => sameLane(entry, { ...lane } as ModelEntry))) return
  const days = dated ? [...new Set([chance.day(), chance.day(), chance.day()])].sort() : [null]
  for (const [index, from] of days.entries()) {
    const to = days[index + 1] ?? null
    org.entries.push({ ...lane, key: freshKey(org, set), from, to, value: value() })
  }
}

function sameLane(a: ModelEntry, b: ModelEntry): boolean {
  return a.set === b.set && a.business === b.business && a.kind === b.kind && a.name === b.name
}

function freshKey(org: ModelOrg, set: string): string {
  const taken = new Set(org.entries.map(({ key }) => key))
  for (let count = 1; ; count += 1) if (!taken.has(`${set}.e${count}`)) return `${set}.e${count}`
}
