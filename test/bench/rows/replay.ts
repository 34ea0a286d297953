// Stored replay: bindings over many generations, each recomputed at its own and compared byte by byte.
import { join } from 'node:path'
import { evaluateWithBinding, replay, type Binding, type EvaluationInput } from '#kernel/config/index.ts'
import { dateOf, type DayNumber } from '#kernel/dates/civil-date.ts'
import type { Org } from '../../../server/pipeline/index.ts'
import { compare } from '../support/compare.ts'
import { newOrg, requestOf, set } from '../support/large-org.ts'
import type { Part, PartContext } from '../support/part.ts'
import { random } from '../support/random.ts'
import {
  entryOf,
  invoice,
  oracle,
  tariff,
  tariffEntries,
  tariffSet,
  type Question,
  type TariffKey,
} from '../support/tariff.ts'

const generations = 1000
const perGeneration = 100
const ranges = 5
const least = 50_000

const expressions = [
  'amount * config.tariff(code).rate',
  'config.tariff(code).rate > 100.0 ? amount : amount + config.tariff(code).rate',
]

interface Stored {
  expression: string
  inputs: EvaluationInput[]
  value: string
  binding: Binding
}

export const replayPart: Part = {
  name: 'replay',
  title: 'Stored replay',
  async run(context) {
    const { org, stored } = await history(context)
    context.say('replay of every binding')
    const [timing] = await compare([{ name: 'replay', run: () => replayAll(org, stored) }], {
      rounds: 7,
      warm: 1,
    })
    await org.close()
    const rate = (stored.length / timing!.ms) * 1000
    return {
      lines: [
        {
          what: 'replay',
          work: `${stored.length.toLocaleString('en')} bindings over ${generations.toLocaleString('en')} generations`,
          ours: `${Math.round(rate).toLocaleString('en')} a second`,
          against: '',
          ratio: '',
          aim: `≥ ${least.toLocaleString('en')} a second, all identical`,
          met: rate >= least,
        },
      ],
      notes: [
        'Every generation changes a value of a key that the bindings read. Values are compared with an oracle of each generation when they are made. A replay that is not byte-identical, or reports a difference, ends the run. Bindings are replayed in the order in which they were stored; older generations are pinned through the org.',
      ],
    }
  },
}

function replayAll(org: Org, stored: readonly Stored[]): void {
  for (const request of stored) {
    const { identical, differences } = replay(request, org.pin(request.binding.generation), org.sha256)
    if (!identical || differences.length > 0) throw new Error(`A replay differs: ${JSON.stringify(request)}.`)
  }
}

/** An org whose every generation has a different rate somewhere, and bindings made at each. */
async function history({ folder, say }: PartContext): Promise<{ org: Org; stored: Stored[] }> {
  say(`${generations} generations`)
  const keys = tariff(20, ranges, true)
  const org = newOrg(join(folder, 'org'))
  await org.apply(requestOf([invoice, tariffSet(set, ['environment', 'org']), ...tariffEntries(set, keys)]))
  const stored: Stored[] = []
  const next = random(7)
  for (let generation = 0; generation < generations; generation += 1) {
    stored.push(...bindingsAt(org, keys, next))
    if (generation + 1 === generations) break
    const row = keys[generation % keys.length]!.rows[generation % ranges]!
    row.value = `${generation}.33`
    await org.apply(requestOf([entryOf(set, keys[generation % keys.length]!.key, row)]))
  }
  return { org, stored }
}

function bindingsAt(org: Org, keys: readonly TariffKey[], next: () => number): Stored[] {
  const snapshot = org.pin()
  return Array.from({ length: perGeneration }, (_, at) => {
    const question = questionAmong(keys, next)
    const expression = expressions[at % expressions.length]!
    const inputs: EvaluationInput[] = [
      { key: 'amount', type: 'number', value: String(at + 1) },
      { key: 'code', type: 'text', value: question.key },
    ]
    const scopePath = { environment: question.env }
    const { value, binding } = evaluateWithBinding(
      { expression, inputs, asOf: question.date, scopePath },
      snapshot,
      org.sha256,
    )
    const rate = Number(oracle(keys, [question])[0])
    const expected = at % expressions.length === 0 ? (at + 1) * rate : rate > 100 ? at + 1 : at + 1 + rate
    if (Math.abs(Number(JSON.parse(value)) - expected) > 1e-6)
      throw new Error(`${expression} is ${value}, not ${expected}.`)
    return { expression, inputs, value, binding }
  })
}

function questionAmong(keys: readonly TariffKey[], next: () => number): Question {
  const { key, rows } = keys[Math.floor(next() * keys.length)]!
  const day = rows[0]!.from + Math.floor(next() * 365 * ranges)
  return { key, env: next() < 0.5 ? 'prod' : 'dev', day, date: dateOf(day as DayNumber) }
}
