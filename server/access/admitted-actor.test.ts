import { beforeEach, expect, it } from 'vitest'
import { buildComponent } from '../../test/support/metadata.ts'
import { MemoryOrgStore } from '../../test/support/memory-org-store.ts'
import { accessOfActor, admitActor, effectiveAccess } from './index.ts'

const by = { actor: 'mara', correlationId: 'c1' }
let store: MemoryOrgStore
let reads: number

beforeEach(() => {
  store = new MemoryOrgStore()
  store.addGeneration([
    buildComponent('permission_set', 'security', { systemPermissions: ['access.manage'] }),
  ])
  store.putUser({ key: 'mara', permissionSets: ['security'] })
  reads = 0
})

const counted: Pick<MemoryOrgStore, 'read'> = {
  read: (work) => {
    reads += 1
    return store.read(work)
  },
}
const viewOf = (generation: number) => store.read((reader) => reader.generations.view(generation))

it('computes the access of an actor who was not admitted', () => {
  expect(accessOfActor(counted, by, viewOf(1)).system).toContain('access.manage')
  expect(reads).toBe(1)
})

it('reuses the access of an admitted actor over the same generation, and only over that one', () => {
  const view = viewOf(1)
  const access = store.read((reader) => effectiveAccess(reader, 'mara', view))
  const actor = admitActor(by, access, view)
  expect(accessOfActor(counted, actor, view)).toBe(access)
  expect(reads).toBe(0)
  store.addGeneration([buildComponent('permission_set', 'security', { systemPermissions: [] })])
  expect(accessOfActor(counted, actor, viewOf(2)).system).not.toContain('access.manage')
})

it('does not follow a copy of the actor, which could be stored or sent', () => {
  const view = viewOf(1)
  const access = store.read((reader) => effectiveAccess(reader, 'mara', view))
  expect(accessOfActor(counted, { ...admitActor(by, access, view) }, view)).not.toBe(access)
})
