// The reference of the access to configuration agrees with a second judge: the same rules, written as policies of Cedar.
import { expect, it } from 'vitest'
import { judgeOf, Policies, quoted, userEntities, type Judge } from './cedar.ts'
import { ConfigReference, configWorldOf, systemPermissions, type ConfigWorld } from './config-worlds.ts'

const wanted = Number(process.env['ALMANAC_QUESTIONS'] ?? 5000)

function policiesOf({ sets, owners }: ConfigWorld): Policies {
  const policies = new Policies()
  for (const { key, systemPermissions: held } of sets) {
    const holder = `principal in PermissionSet::${quoted(key)}`
    policies.permit(holder, held, 'resource is Org')
    if (held.includes('metadata.author') || held.includes('access.manage'))
      policies.permit(holder, ['definition'], 'resource is Owner')
    if (held.includes('platform.root'))
      policies.permit(holder, [...systemPermissions, 'definition', 'values'], 'resource')
  }
  for (const { key, read, edit } of owners)
    for (const set of [...read, ...edit])
      policies.permit(
        `principal in PermissionSet::${quoted(set)}`,
        ['definition', 'values'],
        `resource == Owner::${quoted(key)}`,
      )
  return policies
}

const authoring = ['metadata.author', 'config.author', 'access.manage']

/** [question, our answer, the answer of the judge] */
function* questionsOf(world: ConfigWorld, allows: Judge): Iterable<[string, boolean, boolean]> {
  for (const user of world.users) {
    const reference = new ConfigReference(world, user)
    const may = (action: string): boolean => allows(user.key, action, 'Org', 'org')
    for (const permission of systemPermissions)
      yield [`${user.key} holds ${permission}`, reference.has(permission), may(permission)]
    yield [`${user.key} is an author`, reference.isAuthor(), authoring.some(may)]
    const seesValues = (key: string): boolean => allows(user.key, 'values', 'Owner', key)
    for (const owner of world.owners) {
      const { key } = owner
      const definition = allows(user.key, 'definition', 'Owner', key)
      yield [`${user.key} sees the definition of ${key}`, reference.seesDefinition(owner), definition]
      yield [`${user.key} sees the values of ${key}`, reference.seesValues(owner), seesValues(key)]
    }
    for (const reads of world.results)
      yield [
        `${user.key} sees a result of ${reads.map(({ key }) => key).join(' and ')}`,
        reference.seesResult(reads),
        reads.every(({ key }) => seesValues(key)),
      ]
  }
}

it(`${wanted} questions: both judges agree`, () => {
  const wrong: string[] = []
  let questions = 0
  for (let seed = 0; questions < wanted; seed += 1) {
    const world = configWorldOf(seed)
    for (const [what, ours, theirs] of questionsOf(
      world,
      judgeOf(policiesOf(world), userEntities(world.users)),
    )) {
      questions += 1
      if (ours !== theirs) wrong.push(`${what}: ${ours}, not ${theirs}`)
    }
  }
  expect(wrong).toEqual([])
}, 1_800_000)
