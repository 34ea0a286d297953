// One hundred thousand entries: the first apply, one change, no change, activation, and memory.
import { join } from 'node:path'
import { parseComponent } from '#kernel/components/parse.ts'
import { buildCandidate, buildPlan, type CandidateComponent } from '#kernel/change/index.ts'
import { validateCandidate } from '#kernel/change/validate.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { openOrg } from '../../../server/compose/open-org.ts'
import type { Org } from '../../../server/pipeline/index.ts'
import { almanac, type ProcessRun } from '../support/almanac.ts'
import { compare, roundsOf, timingOf } from '../support/compare.ts'
import {
  entryCount,
  expectValue,
  largeOrg,
  newOrg,
  oneChange,
  requestOf,
  set,
  writeComponents,
  type LargeOrg,
} from '../support/large-org.ts'
import { duration, type Line, type Part, type PartContext } from '../support/part.ts'

const work = '100,000 entries of 20,000 keys'
const rounds = 7

export const largeOrgPart: Part = {
  name: 'large-org',
  title: 'One hundred thousand entries',
  async run(context) {
    const large = largeOrg()
    const dir = join(context.folder, 'components')
    writeComponents(dir, large.components)
    const first = await firstApply(context, dir)
    const org = openOrg(join(context.folder, 'org-0'), { worker: true })
    await org.materialise()
    const lines = [
      ...first,
      await oneChangeApplied(org, large, context),
      await followed(org, large, context),
      await noChangeParsed(org, large, context),
      await noChangeFromDirectory(context, dir),
    ]
    await org.close()
    return {
      lines,
      notes: [
        'The first apply is the command line on a directory of 100,002 files, process start included; its peak memory is the high-water mark of the resident set that the operating system reports (Linux).',
        'One change is an apply in a running engine with its worker, through to readers that resolve the new value; every turn resolves it.',
      ],
    }
  },
}

/** The line of the table for a plain number with its bound, both in milliseconds. */
function bounded(what: string, how: string, ms: number, most: number): Line {
  const aim = `≤ ${most >= 1000 ? `${most / 1000} s` : `${most} ms`}`
  return { what, work: how, ours: duration(ms), against: '', ratio: '', aim, met: ms <= most }
}

async function firstApply(context: PartContext, dir: string): Promise<Line[]> {
  const runs: ProcessRun[] = []
  const roundCount = roundsOf(rounds)
  for (let turn = 0; turn < roundCount; turn += 1) {
    context.say(`first apply from a directory, ${turn + 1} of ${roundCount}`)
    runs.push(await applied(context, dir, turn, []))
  }
  context.say('first apply from a directory, answered as JSON')
  const asJson = await applied(context, dir, roundCount, ['--json'])
  const all = runs.map(({ ms }) => ms)
  return [
    bounded('first apply', `${work}, from a directory, command line`, timingOf('', all).ms, 7000),
    ...peakLine('peak memory of it', 'resident set, highest of all turns', runs),
    ...peakLine('the same with `--json`', 'every change written out', [asJson]),
  ]
}

/**
 * Makes an org and applies the directory to it with the command line.
 * @throws Error if the org is not complete afterwards
 */
async function applied(
  { folder }: PartContext,
  dir: string,
  turn: number,
  options: string[],
): Promise<ProcessRun> {
  const home = join(folder, `org-${turn}`)
  await newOrg(home).close()
  const run = await almanac(['apply', dir, '--org', home, ...options])
  const org = openOrg(home)
  const entries = org.pin().view.count('config_entry')
  await org.close()
  if (entries !== entryCount) throw new Error(`After the apply there are ${entries} entries.`)
  return run
}

/** Empty if the system does not report it. */
function peakLine(what: string, how: string, runs: readonly ProcessRun[]): Line[] {
  const peaks = runs.flatMap(({ peak }) => (peak === null ? [] : [peak]))
  if (peaks.length === 0) return []
  const peak = Math.max(...peaks)
  const ours = `${Math.round(peak / 1e6)} MB`
  return [{ what, work: how, ours, against: '', ratio: '', aim: '< 450 MB', met: peak < 450e6 }]
}

async function oneChangeApplied(org: Org, { keys }: LargeOrg, { say }: PartContext): Promise<Line> {
  say('one change')
  let turn = 0
  let change = oneChange(keys, turn)
  const [timing] = await compare(
    [
      {
        name: 'one change',
        before: () => void (change = oneChange(keys, ++turn)),
        run: async () => {
          await org.apply(requestOf([change.entry]))
        },
        check: () => expectValue(org, change.key, change.day, change.value),
      },
    ],
    { rounds: 15, warm: 3 },
  )
  return bounded('one change applied', `${work}, in a running engine`, timing!.ms, 60)
}

/** The work of the readers' thread: another process has applied, and this one follows. */
async function followed(org: Org, { keys }: LargeOrg, { folder, say }: PartContext): Promise<Line> {
  say('activation of one change')
  const other = openOrg(join(folder, 'org-0'))
  let turn = 1000
  let change = oneChange(keys, turn)
  const [timing] = await compare(
    [
      {
        name: 'activation',
        before: async () => {
          change = oneChange(keys, ++turn)
          await other.apply(requestOf([change.entry]))
        },
        run: async () => void (await org.refresh()),
        check: () => expectValue(org, change.key, change.day, change.value),
      },
    ],
    { rounds: 15, warm: 3 },
  )
  await other.close()
  return bounded('activation of one change', `${work}, slices kept materialised`, timing!.ms, 20)
}

/** From parsed components to a plan without changes. */
async function noChangeParsed(org: Org, { components }: LargeOrg, { say }: PartContext): Promise<Line> {
  say('no-change plan from a parsed candidate')
  const now = new Map([...org.files()].map(({ text }) => [(JSON.parse(text) as { key: string }).key, text]))
  const candidateComponents = components.map((json): CandidateComponent => {
    const { component } = parseComponent(JSON.parse(now.get((json as { key: string }).key)!))
    return { component: component!, hints: {} }
  })
  const { store, sha256 } = org
  const plan = () =>
    store.read((reader) => {
      const base = reader.generations.active()
      const view = reader.generations.view(base)
      const options = { baseDigests: reader.components.digests(base), sha256, graph: org.graph() }
      const candidate = buildCandidate(view, { components: candidateComponents }, options)
      const principals = {
        user: () => 'live' as const,
        group: () => undefined,
        userKeys: () => [],
        groupKeys: () => [],
      }
      const today = parseCivilDate(org.clock.today())!
      const { findings } = validateCandidate(candidate, view, {
        today,
        principals,
        rationale: '',
        graph: options.graph,
      })
      const budget = { used: 0, added: 0, limit: 1, left: 1 }
      return buildPlan(
        { lineage: reader.properties.get().lineage, base, changes: candidate.changes, findings, budget },
        sha256,
      )
    })
  let changes = -1
  const [timing] = await compare([
    {
      name: 'no change',
      run: () => void (changes = plan().changes.length),
      check: () => {
        if (changes !== 0) throw new Error(`The plan names ${changes} changes, not 0.`)
      },
    },
  ])
  if (org.pin().slice.sets.get(set) === undefined) throw new Error('The set is missing.')
  return bounded('no-change plan', `${work}, from a parsed candidate`, timing!.ms, 500)
}

async function noChangeFromDirectory({ folder, say }: PartContext, dir: string): Promise<Line> {
  say('no-change plan from a directory')
  // The second org still equals the directory; the first has moved on.
  const org = openOrg(join(folder, 'org-1'), { worker: true })
  let total = -1
  const [timing] = await compare(
    [
      {
        name: 'no change',
        run: async () => {
          const outcome = await org.plan({ source: { kind: 'directory', dir }, actor: 'admin', most: 10 })
          total = outcome.total
        },
        check: () => {
          if (total !== 0) throw new Error(`The plan names ${total} changes, not 0.`)
        },
      },
    ],
    { warm: 1 },
  )
  await org.close()
  return bounded('no-change plan', `${work}, from a directory`, timing!.ms, 2500)
}
