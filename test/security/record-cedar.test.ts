// The reference of the access to records agrees with a second judge: the same rules, written as policies of Cedar.
import { expect, it } from 'vitest'
import { judgeOf, Policies, quoted, userEntities, type EntityJson } from './cedar.ts'
import { feeKey, fieldKeys, Reference, rights, worldOf, type World } from './record-worlds.ts'

const worlds = Math.max(1, Math.round(Number(process.env['ALMANAC_QUESTIONS'] ?? 5000) / 900))

function policiesOf({ objects, operations, sets, fees }: World): Policies {
  const policies = new Policies()
  for (const key of fees.read)
    policies.permit(
      `principal in PermissionSet::${quoted(key)}`,
      ['values'],
      `resource == Owner::${quoted(fees.key)}`,
    )
  for (const { key, grantedTo } of operations)
    for (const set of grantedTo)
      policies.permit(
        `principal in PermissionSet::${quoted(set)}`,
        ['call'],
        `resource == Operation::${quoted(key)}`,
      )
  for (const { key, isAuthor, objects: granted, fields } of sets) {
    const holder = `principal in PermissionSet::${quoted(key)}`
    policies.permit(holder, isAuthor ? ['author'] : [], 'resource is Org')
    for (const [object, given] of Object.entries(granted)) {
      const actions = rights.filter((right) => given[right])
      policies.permit(holder, actions, `resource == Object::${quoted(object)}`)
      const ofObject = `resource.object == ${quoted(object)}`
      if (given.viewAll) policies.permit(holder, ['row_read'], 'resource is Record', ofObject)
      if (given.modifyAll) policies.permit(holder, ['row_read', 'row_write'], 'resource is Record', ofObject)
    }
    for (const [field, { read, edit }] of Object.entries(fields)) {
      const actions = [...(read || edit ? ['field_read'] : []), ...(edit ? ['field_edit'] : [])]
      policies.permit(holder, actions, `resource == Field::${quoted(field)}`)
    }
  }
  for (const { key, sharing, isOwned, rules } of objects) {
    const ofObject = `resource.object == ${quoted(key)}`
    if (sharing !== 'private')
      policies.permit(
        'principal',
        sharing === 'read' ? ['row_read'] : ['row_read', 'row_write'],
        'resource is Record',
        ofObject,
      )
    if (isOwned)
      policies.permit(
        'principal',
        ['row_read', 'row_write'],
        'resource is Record',
        `${ofObject} && resource has owner && resource.owner == principal`,
      )
    for (const { level, permissionSet, access } of rules)
      policies.permit(
        `principal in PermissionSet::${quoted(permissionSet)}`,
        access === 'read' ? ['row_read'] : ['row_read', 'row_write'],
        'resource is Record',
        `${ofObject} && resource.level == ${quoted(level)}`,
      )
  }
  return policies
}

function entitiesOf({ users, rows }: World): EntityJson[] {
  return [
    ...userEntities(users),
    ...rows.map(({ object, owner, level }, at) => ({
      uid: { type: 'Record', id: String(at) },
      attrs: {
        ...{ object, level },
        ...(owner === null ? {} : { owner: { __entity: { type: 'User', id: owner } } }),
      },
      parents: [],
    })),
  ]
}

it(`${worlds} random worlds: both judges agree`, () => {
  const wrong: string[] = []
  for (let seed = 0; seed < worlds; seed += 1) {
    const world = worldOf(seed)
    const allows = judgeOf(policiesOf(world), entitiesOf(world))
    for (const user of world.users) {
      const reference = new Reference(world, user)
      const agree = (what: string, ours: boolean, theirs: boolean): void => {
        if (ours !== theirs) wrong.push(`${user.key} ${what}: ${ours}, not ${theirs}`)
      }
      agree('is an author', reference.isAuthor(), allows(user.key, 'author', 'Org', 'org'))
      agree('sees the fees', reference.seesFees(), allows(user.key, 'values', 'Owner', world.fees.key))
      for (const { key } of world.operations)
        agree(`calls ${key}`, reference.mayCall(key), allows(user.key, 'call', 'Operation', key))
      for (const { key: object } of world.objects) {
        for (const right of rights)
          agree(`${right} ${object}`, reference.may(object, right), allows(user.key, right, 'Object', object))
        for (const field of [...fieldKeys, feeKey]) {
          const name = `${object}.${field}`
          agree(
            `reads ${name}`,
            reference.canRead(object, field),
            allows(user.key, 'field_read', 'Field', name),
          )
          agree(
            `edits ${name}`,
            reference.canEdit(object, field),
            allows(user.key, 'field_edit', 'Field', name),
          )
        }
      }
      for (const [at, row] of world.rows.entries()) {
        const id = String(at)
        const [read, write] = ['row_read', 'row_write'].map((action) =>
          allows(user.key, action, 'Record', id),
        )
        agree(`sees ${id}`, reference.rowAccess(row) !== 'none', read!)
        agree(`changes ${id}`, reference.rowAccess(row) === 'read_write', write!)
      }
    }
  }
  expect(wrong).toEqual([])
}, 1_800_000)
