// Repairs findings by explicit choice. Nothing is repaired automatically, and no value is invented.
import type { Component, ComponentOf } from '../components/body-types.ts'
import { coverageFindings } from '../components/config-set/coverage.ts'
import { idOf, splitId, type ComponentId } from '../components/component.ts'
import { scopeText } from '../components/scopes.ts'
import type { ComponentView } from '../components/view.ts'
import { parseCivilDate, type CivilDate } from '../dates/civil-date.ts'
import type { FindingCode } from '../errors/finding-codes.ts'
import type { Finding } from '../errors/finding.ts'
import { slugWithHash, slugOf } from '../import/slug.ts'
import { matchesFinding, isRepairable, specificity, type RepairChoice } from './repair-choice.ts'

type Entry = ComponentOf<'config_entry'>

export interface RepairResult {
  /** The changes for a change list, over the view. */
  components: Component[]
  removals: ComponentId[]
  /** How many findings were repaired. */
  repaired: number
  /** The remaining findings on the days of the repaired keys, and the repairs that were not chosen. */
  unrepaired: Finding[]
  /** Choices that could not be applied, and choices that match no finding. */
  findings: Finding[]
}

/**
 * Returns the changes for the choices, over the view of the findings. If several choices match a finding, the most
 * specific one wins; of two equally specific ones, the later one. New findings from a repair (ending a row can leave a
 * gap) are repaired by the same choices.
 */
export function repairFindings(
  findings: readonly Finding[],
  choices: readonly RepairChoice[],
  view: ComponentView,
): RepairResult {
  return new RepairRun(view, choices).run(findings)
}

interface Facts {
  set: string
  key: string | null
  from: CivilDate | null
  to: CivilDate | null
  first: string
  second: string
}

type RepairStrategy = (repairing: RepairRun, facts: Facts, choice: RepairChoice) => void

const repairStrategies: Record<string, RepairStrategy> = {
  extend_earlier: (repairing, { first, to }) => repairing.change(first, { effectiveTo: to }),
  extend_later: (repairing, { second, from }) => repairing.change(second, { effectiveFrom: from! }),
  end_earlier: (repairing, { first, from }) => repairing.endAt(first, from!),
  extend_last: (repairing, { first }) => repairing.change(first, { effectiveTo: null }),
  set_value: (repairing, facts, { values }) => repairing.add(facts, values ?? {}),
  drop_key: (repairing, facts) => repairing.dropKey(facts),
}

/** Each round ends rows or closes gaps; the bound stops choices that undo each other. */
const mostRounds = 8

const offers = (finding: Finding, { choice }: RepairChoice): boolean =>
  finding.repairs?.some((repair) => repair.choice === choice) === true

const placeOf = ({ set, key }: Facts): string => JSON.stringify([set, key])

class RepairRun {
  readonly #view: ComponentView
  readonly #choices: readonly RepairChoice[]
  /** Null: removed. */
  readonly #entries = new Map<string, Entry | null>()

  constructor(view: ComponentView, choices: readonly RepairChoice[]) {
    this.#view = view
    this.#choices = choices
  }

  run(findings: readonly Finding[]): RepairResult {
    const used = new Set<RepairChoice>()
    let open = findings
    let repaired = 0
    for (let round = 0; round < mostRounds; round += 1) {
      const touched = new Map<string, Facts>()
      for (const finding of open) {
        const choice = this.#choiceFor(finding, used)
        if (choice === null || !offers(finding, choice)) continue
        const facts = factsOf(finding)
        repairStrategies[choice.choice]!(this, facts, choice)
        touched.set(placeOf(facts), facts)
        repaired += 1
      }
      if (touched.size === 0) break
      const others = open.filter((finding) => !touched.has(placeOf(factsOf(finding))))
      open = [...others, ...[...touched.values()].flatMap((facts) => this.#daysAt(facts))]
    }
    const unrepaired: Finding[] = []
    const faults: Finding[] = []
    for (const finding of open) {
      const choice = this.#choiceFor(finding, used)
      if (choice !== null && !offers(finding, choice)) faults.push(notOfferedFinding(finding, choice))
      else if (isRepairable(finding.code)) unrepaired.push(finding)
    }
    for (const choice of this.#choices) if (!used.has(choice)) faults.push(notNeededFinding(choice))
    return { ...this.#result(), repaired, unrepaired, findings: faults }
  }

  /** Returns the findings on the days of one key after the repairs so far. */
  #daysAt({ set, key }: Facts): Finding[] {
    const target = this.#view.get('config_set', set)
    if (target === undefined) return []
    const entries = new Map<string, Entry>()
    for (const entry of this.#view.entriesAt(set, key)) entries.set(entry.key, entry)
    for (const [at, entry] of this.#entries) {
      if (entry === null) entries.delete(at)
      else if (entry.body.set === set && (entry.body.key ?? null) === key) entries.set(at, entry)
    }
    return coverageFindings(target, key, [...entries.values()], this.#view).filter(({ code }) =>
      isRepairable(code),
    )
  }

  /** A row that several later rows overlap ends when the first of them starts. */
  endAt(key: string, day: CivilDate): void {
    const end = this.#at(key)?.body.effectiveTo
    if (end == null || end > day) this.change(key, { effectiveTo: day })
  }

  change(key: string, dates: { effectiveFrom?: CivilDate; effectiveTo?: CivilDate | null }): void {
    const entry = this.#at(key)
    if (entry != null) this.#entries.set(key, { ...entry, body: { ...entry.body, ...dates } })
  }

  add({ set, key, from, to, first }: Facts, values: Readonly<Record<string, string>>): void {
    const beside = this.#at(first)
    if (beside == null || from === null) return
    const { scope, priority } = beside.body
    const plain = slugOf(key, from, scopeText(scope))
    const slug =
      this.#at(`${set}.${plain}`) === undefined ? plain : slugWithHash(plain, `${key ?? ''}\n${from}`)
    const body = {
      set,
      ...(key === null ? {} : { key }),
      scope,
      ...(priority === undefined ? {} : { priority }),
      effectiveFrom: from,
      effectiveTo: to,
      values: this.#typed(set, values),
    }
    const label = [key ?? set, from].join(' from ')
    this.#entries.set(`${set}.${slug}`, { type: 'config_entry', key: `${set}.${slug}`, label, body })
  }

  dropKey({ set, key }: Facts): void {
    for (const entry of this.#view.entriesAt(set, key)) this.#entries.set(entry.key, null)
    for (const [at, entry] of this.#entries)
      if (entry?.body.set === set && (entry.body.key ?? null) === key) this.#entries.set(at, null)
  }

  #choiceFor(finding: Finding, used: Set<RepairChoice>): RepairChoice | null {
    let best: RepairChoice | null = null
    for (const choice of this.#choices) {
      if (!matchesFinding(choice, finding)) continue
      used.add(choice)
      if (best === null || specificity(choice) >= specificity(best)) best = choice
    }
    return best
  }

  /** Returns the entry after the repairs so far; null if removed, undefined if it does not exist. */
  #at(key: string): Entry | null | undefined {
    return this.#entries.has(key) ? this.#entries.get(key) : this.#view.get('config_entry', key)
  }

  #typed(set: string, values: Readonly<Record<string, string>>): Entry['body']['values'] {
    const fields = this.#view.get('config_set', set)?.body.fields ?? []
    const booleans = new Set(fields.filter(({ type }) => type === 'boolean').map(({ key }) => key))
    const toTypedValue = ([field, text]: [string, string]): [string, string | boolean] =>
      booleans.has(field) && (text === 'true' || text === 'false') ? [field, text === 'true'] : [field, text]
    return Object.fromEntries(Object.entries(values).map(toTypedValue))
  }

  #result(): { components: Component[]; removals: ComponentId[] } {
    const components: Component[] = []
    const removals: ComponentId[] = []
    for (const [key, entry] of this.#entries)
      if (entry !== null) components.push(entry)
      else if (this.#view.has('config_entry', key)) removals.push(`config_entry/${key}`)
    return { components, removals }
  }
}

/** The facts of findings about ranges, by name (config-set/range-findings.ts writes them). */
function factsOf({ facts = {}, component }: Finding): Facts {
  const text = (name: string): string | null => (typeof facts[name] === 'string' ? facts[name] : null)
  const date = (name: string): CivilDate | null => parseCivilDate(text(name) ?? '')
  const first = text('earlier') ?? text('last') ?? splitId(component).key
  return {
    set: text('set') ?? '',
    key: text('key'),
    from: date('from') ?? date('endsOn'),
    to: date('to'),
    first,
    second: text('later') ?? first,
  }
}

function notOfferedFinding(
  { code, component, repairs = [], message }: Finding,
  { choice }: RepairChoice,
): Finding {
  const offered = repairs.map((repair) => repair.choice)
  const reason =
    offered.length === 0
      ? `"${choice}" cannot fix this: ${message}`
      : `"${choice}" is not a repair of ${code} at ${component}. Choose one of ${offered.join(', ')}.`
  return repairFinding('repair.not_offered', component, reason)
}

function notNeededFinding({ code, set, key, day, choice }: RepairChoice): Finding {
  // No component has such a finding; if no set is named, the finding is on the choice itself.
  const place = `${key === undefined ? '' : `:${key}`}${day === undefined ? '' : `@${day}`}`
  const component = set === undefined ? `${code}${place}=${choice}` : `config_set/${set}`
  const which = [code, key, day].filter((part) => part !== undefined).join(' ')
  return {
    ...repairFinding(
      'repair.not_needed',
      component,
      `No finding matches ${which}, so "${choice}" did not repair anything.`,
    ),
    severity: 'warning',
  }
}

function repairFinding(code: FindingCode, component: string, message: string): Finding {
  return { severity: 'error', code, component, path: '', message, related: [] }
}

/** Merges repairs into a change list: a repair replaces the component of the list. */
export function applyRepairs<C extends { component: Component }>(
  items: readonly C[],
  repaired: Pick<RepairResult, 'components' | 'removals'>,
): (C | { component: Component; hints: object })[] {
  const over = new Set<ComponentId>([...repaired.components.map(idOf), ...repaired.removals])
  return [
    ...items.filter(({ component }) => !over.has(idOf(component))),
    ...repaired.components.map((component) => ({ component, hints: {} })),
  ]
}
