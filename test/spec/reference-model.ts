// A plain reference implementation of resolution and evaluation, written from the specification without the kernel:
// entries are a list, dates are text, numbers are whole numbers of ten-thousandths.

export interface ModelEntry {
  key: string
  set: string
  /** Null in a singleton set and for a flag. */
  business: string | null
  kind: 'org' | 'environment' | 'app' | 'locale' | 'permission_set' | 'user'
  /** Name within the scope; empty for org. */
  name: string
  priority: number | null
  /** Null if undated. `to` null is open-ended; the end is the first day that is not included. */
  from: string | null
  to: string | null
  /** Ten-thousandths; a boolean for an entry of a flag. */
  value: number | boolean
}

export interface ModelSet {
  key: string
  flag: boolean
  dated: boolean
  keyed: boolean
  kinds: ModelEntry['kind'][]
  /** The default of a flag. */
  fallback: boolean
}

export interface ModelOrg {
  sets: ModelSet[]
  entries: ModelEntry[]
  /** What the calc function `fee(amount)` does: multiplies the amount by this, and adds the value of `base`. */
  factor: number
}

export interface Requester {
  user?: string
  permission_set?: string[]
  locale?: string
  app?: string
  environment?: string
}

export type ModelAnswer = { entry: string; value: number | boolean } | { error: string }

const mostSpecificFirst = ['user', 'permission_set', 'locale', 'app', 'environment', 'org'] as const

export function modelResolve(
  org: ModelOrg,
  setKey: string,
  business: string | null,
  who: Requester,
  day: string,
): ModelAnswer {
  const set = org.sets.find(({ key }) => key === setKey)
  if (set === undefined) return { error: 'config.unknown_set' }
  const ofKey = org.entries.filter((entry) => entry.set === setKey && entry.business === business)
  if (ofKey.length === 0 && !set.flag) return { error: set.keyed ? 'config.unknown_key' : 'config.no_entry' }
  const inForce = ofKey.filter(
    (entry) => entry.from === null || (entry.from <= day && (entry.to === null || day < entry.to)),
  )
  for (const kind of mostSpecificFirst) {
    if (!set.kinds.includes(kind)) continue
    const matching = inForce.filter((entry) => entry.kind === kind && matches(entry, who))
    const [best] = matching.sort((a, b) =>
      kind === 'locale' ? b.name.length - a.name.length : (b.priority ?? 0) - (a.priority ?? 0),
    )
    if (best !== undefined) return { entry: best.key, value: best.value }
  }
  if (set.flag) return { entry: set.key, value: set.fallback }
  return { error: 'config.not_effective' }
}

function matches(entry: ModelEntry, who: Requester): boolean {
  switch (entry.kind) {
    case 'org':
      return true
    case 'permission_set':
      return who.permission_set?.includes(entry.name) === true
    case 'locale':
      return who.locale === entry.name || who.locale?.startsWith(`${entry.name}-`) === true
    default:
      return who[entry.kind] === entry.name
  }
}

/** `config.<set>(<business>).value`, that value times an amount, or one of two values depending on a flag. */
export type ModelQuestion =
  | { form: 'value'; set: string; business: string | null }
  | { form: 'times'; set: string; business: string | null; amount: number }
  | { form: 'switch'; flag: string; amount: number }

/** Canonical JSON text of the value, or the code of the error. Amounts are whole numbers of hundredths. */
export function modelEvaluate(org: ModelOrg, question: ModelQuestion, who: Requester, day: string): string {
  if (question.form === 'switch') {
    const flag = modelResolve(org, question.flag, null, who, day)
    if ('error' in flag) return flag.error
    if (flag.value === false) return decimalText(BigInt(question.amount), 2)
    const base = modelResolve(org, 'base', null, who, day)
    if ('error' in base) return base.error
    return decimalText(BigInt(question.amount) * BigInt(org.factor) * 100n + BigInt(base.value), 4)
  }
  const answer = modelResolve(org, question.set, question.business, who, day)
  if ('error' in answer) return answer.error
  if (question.form === 'value') return decimalText(BigInt(answer.value), 4)
  return decimalText(BigInt(answer.value) * BigInt(question.amount), 6)
}

/** A whole number in units of ten to the minus `places`, without trailing zeros, in quotes. */
function decimalText(units: bigint, places: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return `"${sign}${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}"`
}
