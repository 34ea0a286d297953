// Random orgs of 50 generations with retroactive corrections: every resolution and every replay is compared with a
// plain reference implementation. Slices are carried over from generation to generation.
import { describe, expect, it } from 'vitest'
import { componentDigest, nobleSha256, setDigest, validateView, type Digest } from '#kernel/change/index.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import {
  parseAsOf,
  buildSetSlice,
  evaluateWithBinding,
  explain,
  replay,
  resolve,
  updateSetSlice,
  type Evaluation,
  type EvaluationResult,
  type EvaluationSnapshot,
  type SetSlice,
} from '#kernel/config/index.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { makeBundle, createSigner, verifyBundle } from '#kernel/evidence/index.ts'
import { amountOf, componentsOf, expressionOf } from './model-components.ts'
import { Chance, edited, randomOrg, randomQuestion, randomRequester } from './random-org.ts'
import {
  modelEvaluate,
  modelResolve,
  type ModelOrg,
  type ModelQuestion,
  type Requester,
} from './reference-model.ts'

const orgs = 60
const generations = 50
const questionsEach = 60
const boundEach = 4

interface Vintage {
  model: ModelOrg
  snapshot: EvaluationSnapshot
}

interface Bound {
  question: ModelQuestion
  who: Requester
  day: string
  evaluation: Evaluation
  evaluated: EvaluationResult
}

describe('a random org of 50 generations', () => {
  it.each(Array.from({ length: orgs }, (_, index) => index + 1))(
    'resolves and replays like the reference, seed %i',
    (seed) => {
      const chance = new Chance(seed)
      const vintages: Vintage[] = []
      const bound: Bound[] = []
      let model = randomOrg(chance)
      for (let generation = 1; generation <= generations; generation += 1) {
        if (generation > 1) model = edited(model, chance)
        const vintage = {
          model,
          snapshot: nextSnapshot(componentsOf(model), generation, vintages.at(-1)?.snapshot),
        }
        if (vintages.length > 0) expectDigestsToFollowContent(vintages.at(-1)!, vintage)
        vintages.push(vintage)
        // Not only the active generation: every earlier one too.
        for (let count = 0; count < questionsEach; count += 1) expectResolution(chance.of(vintages), chance)
        for (let count = 0; count < boundEach; count += 1) {
          const made = bind(vintage, chance)
          if (made !== null) bound.push(made)
        }
      }
      expectValid(vintages.at(-1)!)
      expect(bound.length).toBeGreaterThan(generations)
      for (const each of bound) expectReplay(vintages, each)
      expectEvidence(vintages, chance.of(bound))
    },
  )
})

/** Sets carried over from the previous generation: only keys whose entries differ are built again. */
function nextSnapshot(
  components: readonly Component[],
  generation: number,
  before: EvaluationSnapshot | undefined,
): EvaluationSnapshot {
  const view = new MemoryView(components)
  const sets = new Map<string, SetSlice>()
  for (const definition of [...view.list('config_set'), ...view.list('feature_flag')]) {
    const { key } = definition
    const digest = digestOfSet(view, definition)
    const older = before?.slice.sets.get(key)
    if (older?.digest === digest) sets.set(key, older)
    else if (older === undefined) sets.set(key, buildSetSlice(definition, view.entriesOf(key), digest))
    else {
      const keys = new Set(
        [view, before!.view].flatMap((each) =>
          [...each.entriesOf(key)].map((entry) => entry.body.key ?? null),
        ),
      )
      // A flag's default is a row of its one key, so that key is always named.
      if (definition.type === 'feature_flag') keys.add(null)
      const differs = (business: string | null): boolean =>
        definition.type === 'feature_flag' ||
        contentAt(view, key, business) !== contentAt(before!.view, key, business)
      const changed = [...keys].filter(differs)
      const changes = changed.map((business) => ({ key: business, entries: view.entriesAt(key, business) }))
      const updated = updateSetSlice(older, definition, changes, digest)
      expect(updated.bytes).toBe(buildSetSlice(definition, view.entriesOf(key), digest).bytes)
      sets.set(key, updated)
    }
  }
  return { generation, view, slice: { generation, sets, bytes: 0 } }
}

function contentAt(view: ComponentView, set: string, business: string | null): string {
  return JSON.stringify([...view.entriesAt(set, business)])
}

function digestOfSet(
  view: MemoryView,
  definition: ComponentOf<'config_set'> | ComponentOf<'feature_flag'>,
): Digest {
  const entries = [...view.entriesOf(definition.key)].sort((a, b) => (a.key < b.key ? -1 : 1))
  const digests = entries.map((entry) => componentDigest(entry, nobleSha256))
  return setDigest(componentDigest(definition, nobleSha256), digests, nobleSha256)
}

function expectResolution({ model, snapshot }: Vintage, chance: Chance): void {
  const question = randomQuestion(chance)
  const [set, business] =
    question.form === 'switch' ? [question.flag, null] : [question.set, question.business]
  const who = randomRequester(chance)
  const day = chance.day()
  const expected = modelResolve(model, set, business, who, day)
  const request = { set, key: business, scopePath: who, asOf: parseCivilDate(day) }
  const about = `${set} ${business ?? ''} on ${day} for ${JSON.stringify(who)} at generation ${snapshot.generation}`
  let actual: unknown
  try {
    const { entry, values } = resolve(snapshot.slice, request)
    const value = values['value']
    actual = { entry, value: typeof value === 'boolean' ? value : Math.round(Number(value) * 10_000) }
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error
    actual = { error: error.code }
  }
  expect(actual, about).toEqual(expected)
  const explained = explain(snapshot.slice, request)
  if ('entry' in expected) {
    expect(explained.resolution?.entry, about).toBe(expected.entry)
    expect(explained.steps.at(-1), about).toMatchObject({ entry: expected.entry, matched: true })
  } else expect(explained.error?.code, about).toBe(expected.error)
}

function bind({ model, snapshot }: Vintage, chance: Chance): Bound | null {
  const question = randomQuestion(chance)
  const who = randomRequester(chance)
  const day = chance.day()
  const evaluation: Evaluation = {
    expression: expressionOf(question),
    inputs: [{ key: 'amount', type: 'number', value: amountOf(question) }],
    asOf: parseAsOf(day),
    scopePath: who,
  }
  const expected = modelEvaluate(model, question, who, day)
  try {
    const evaluated = evaluateWithBinding(evaluation, snapshot)
    expect(evaluated.value, evaluation.expression).toBe(expected)
    return { question, who, day, evaluation, evaluated }
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error
    expect(error.code, evaluation.expression).toBe(expected)
    return null
  }
}

/** The bytes at its own generation; and at the last generation, what the reference returns there. */
function expectReplay(
  vintages: readonly Vintage[],
  { question, who, day, evaluation, evaluated }: Bound,
): void {
  const { binding, value } = evaluated
  const { snapshot, model } = vintages[binding.generation - 1]!
  const { expression, inputs } = evaluation
  const replayed = replay({ expression, inputs, value, binding }, snapshot)
  expect(replayed).toMatchObject({ identical: true, differences: [], value })
  expect(replayed.binding).toEqual(binding)
  expect(modelEvaluate(model, question, who, day)).toBe(value)
  const present = vintages.at(-1)!
  let now: string
  try {
    now = evaluateWithBinding(evaluation, present.snapshot).value
  } catch (error) {
    now = (error as AlmanacError).code
  }
  expect(now).toBe(modelEvaluate(present.model, question, who, day))
}

/** A set has a new digest exactly if its definition or its entries changed. */
function expectDigestsToFollowContent(before: Vintage, after: Vintage): void {
  for (const { key } of after.model.sets) {
    const same = contentOf(before.model, key) === contentOf(after.model, key)
    const digests = [before, after].map(({ snapshot }) => snapshot.slice.sets.get(key)!.digest)
    expect(digests[0] === digests[1], `digest of ${key} at generation ${after.snapshot.generation}`).toBe(
      same,
    )
  }
}

function contentOf({ sets, entries }: ModelOrg, set: string): string {
  const rows = entries.filter((entry) => entry.set === set).sort((a, b) => (a.key < b.key ? -1 : 1))
  return JSON.stringify([sets.find(({ key }) => key === set), rows])
}

/** An apply accepts what is generated: otherwise the comparison would prove little. */
function expectValid({ snapshot }: Vintage): void {
  const { findings } = validateView(snapshot.view, {
    today: parseAsOf('2026-01-01'),
    principals: { user: () => 'live', group: () => 'live', userKeys: () => [], groupKeys: () => [] },
  })
  expect(hasErrors(findings), JSON.stringify(findings.slice(0, 3))).toBe(false)
}

function expectEvidence(vintages: readonly Vintage[], { evaluation, evaluated }: Bound): void {
  const { binding, value } = evaluated
  const { expression, inputs } = evaluation
  const about = { id: 'r', label: 'r', at: '2026-01-01T00:00:00.000Z', actor: 'ann' }
  const bundle = makeBundle(
    {
      org: { lineage: 'l', name: 'n', environment: 'dev' },
      generation: { generation: binding.generation, at: about.at, actor: 'ann', changeDigest: '' },
      result: { ...about, expression, inputs, value, binding },
      snapshot: vintages[binding.generation - 1]!.snapshot,
    },
    createSigner(new Uint8Array(32).fill(1)),
  )
  expect(verifyBundle(bundle)).toMatchObject({ ok: true, value })
}
