// Who can see which set, flag, entry and value: a plain reference and every door to configuration agree, for random users,
// permission sets, grants and changes.
import { expect, it } from 'vitest'
import { apply } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { askDoors, type Asking } from './config-doors.ts'
import {
  commonComponents,
  configWorldOf,
  definitionOf,
  entryComponentOf,
  type ConfigWorld,
} from './config-worlds.ts'

const wanted = Number(process.env['ALMANAC_QUESTIONS'] ?? 5000)
/** An org with many worlds is slow, because its lists are long. */
const worldsOfOrg = 10

const operator = { actor: 'admin', correlationId: 'c', isOperator: true as const }

async function signInAll(test: TestServer, { users }: ConfigWorld): Promise<Record<string, Ask>> {
  await test.beside(async ({ access }) => {
    for (const { key, sets } of users)
      await access.addUser(operator, { key, name: key, permissionSets: [...sets] })
  })
  await apply(
    test.studio,
    users.map(({ key }) => ({
      ...{ type: 'integration_client', key, label: key },
      body: { authScheme: 'api_key', runAs: key },
    })),
  )
  return test.beside(async ({ access }) => {
    const asks: Record<string, Ask> = {}
    for (const { key } of users) asks[key] = test.bearer((await access.issueToken(operator, key)).token)
    return asks
  })
}

async function generationOf(test: TestServer): Promise<number> {
  const { body } = await test.studio<{ active: number }>('GET', '/metadata/v3/generations')
  return body.active
}

async function askWorld(test: TestServer, world: ConfigWorld, check: Asking['check']): Promise<void> {
  const componentsOf = (generation: 1 | 2): object[] =>
    world.owners.flatMap((owner) => [
      definitionOf(owner, world, generation),
      entryComponentOf(owner, generation),
    ])
  await apply(test.studio, [...commonComponents(world), ...componentsOf(1)])
  const first = await generationOf(test)
  const asks = await signInAll(test, world)
  await apply(test.studio, componentsOf(2))
  const generations: [number, number] = [first, await generationOf(test)]
  const results: string[] = []
  for (const [a, b] of world.results) {
    const { body } = await test.studio<{ resultId: string }>('POST', '/setup/v3/evaluate', {
      expression: `config.${a.key}.words + config.${b.key}.words`,
      store: 'Words',
    })
    results.push(body.resultId)
  }
  for (const user of world.users)
    await askDoors({ world, user, generations, results, check, ask: asks[user.key]! })
}

it(`${wanted} questions: every door to configuration agrees with the reference`, async () => {
  let questions = 0
  const wrong: string[] = []
  const answers = new Map<string, Set<string>>()
  const check: Asking['check'] = (door, of, actual, expected) => {
    questions += 1
    const [ours, theirs] = [JSON.stringify(expected) ?? '', JSON.stringify(actual) ?? '']
    answers.set(door, (answers.get(door) ?? new Set()).add(ours))
    if (ours !== theirs) wrong.push(`${door} ${of}: ${theirs}, not ${ours}`)
  }
  for (let seed = 0; questions < wanted;) {
    const test = await runningServer()
    try {
      for (let at = 0; at < worldsOfOrg && questions < wanted; at += 1, seed += 1)
        await askWorld(test, configWorldOf(seed), check)
    } finally {
      await test.close()
    }
  }
  expect(wrong).toEqual([])
  // A door whose answer is always the same tests nothing.
  expect([...answers].filter(([, { size }]) => size < 2).map(([door]) => door)).toEqual([])
}, 1_800_000)
