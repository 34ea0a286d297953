// What a viewer sees of older generations when keys move between components: tested on a real org in a folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initOrg } from '../compose/open-org.ts'
import type { Org } from '../pipeline/index.ts'
import { effectiveAccess } from './effective-access.ts'
import { PastVisibility } from './past-visibility.ts'

let folder: string
let org: Org

const set = (key: string, reader: string, more: object = {}): object => ({
  type: 'config_set',
  ...{ key, label: key, ...more },
  body: {
    cardinality: 'singleton',
    fields: [{ key: 'words', type: 'text' }],
    read: { [reader]: 'read' },
    edit: { administrator: 'edit' },
  },
})
const entry = (of: string): object => ({
  type: 'config_entry',
  ...{ key: `${of}.all`, label: of },
  body: { set: of, scope: { kind: 'org' }, values: { words: of } },
})
const rights = (key: string, more: object = {}): object => ({
  type: 'permission_set',
  ...{ key, label: key, ...more },
  body: { systemPermissions: [] },
})
const apply = async (components: object[], removals: string[] = []): Promise<number> => {
  const source = { kind: 'components', components, removals: removals as never } as const
  return (await org.apply({ source, actor: 'admin' })).generation!
}
/** The sets that a user with these permission sets sees at a generation. */
const seen = (permissionSets: string[], generation: number, ...sets: string[]): string[] =>
  org.store.read((reader) => {
    const active = reader.generations.active()
    const present = { generation: active, view: reader.generations.view(active) }
    const admin = effectiveAccess(reader, 'admin', present.view)
    const access = { ...admin, user: 'rita', platformRoot: false, systemPermissions: [], permissionSets }
    const { canSeeValues } = new PastVisibility(access as never, present).at(reader, generation)
    return sets.filter(canSeeValues)
  })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-past-'))
  org = initOrg(folder, { name: 'T', environment: 'dev' })
})
afterEach(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('sets of an older generation', () => {
  it("have today's grants under another key", async () => {
    const begun = await apply([
      rights('all'),
      set('a', 'administrator'),
      entry('a'),
      set('c', 'all'),
      entry('c'),
    ])
    await apply([set('b', 'administrator', { renamedFrom: 'a' })])
    const swapped = await apply([set('a', 'all', { renamedFrom: 'c' })])
    expect(seen(['all'], begun, 'a', 'c')).toEqual(['c'])
    expect(seen(['all'], swapped, 'a', 'b')).toEqual(['a'])
    await apply([set('b', 'all'), set('a', 'administrator')])
    expect(seen(['all'], begun, 'a', 'c')).toEqual(['a'])
  })

  it('have their last grants once they are removed, regardless of what uses their key now', async () => {
    const begun = await apply([rights('all'), set('a', 'all'), set('gone', 'all')])
    await apply([set('a', 'administrator')])
    await apply([], ['config_set/a', 'config_set/gone'])
    const again = await apply([set('a', 'all')])
    expect(seen(['all'], begun, 'a', 'gone')).toEqual(['gone'])
    expect(seen(['all'], again, 'a')).toEqual(['a'])
  })

  it("are visible to the permission sets that their last grants name, under today's keys of those sets", async () => {
    const begun = await apply([rights('few'), rights('all'), set('a', 'few')])
    await apply([], ['config_set/a'])
    await apply([rights('fewer', { renamedFrom: 'few' })])
    await apply([rights('few', { renamedFrom: 'all' })])
    expect(seen(['few'], begun, 'a')).toEqual([])
    expect(seen(['fewer'], begun, 'a')).toEqual(['a'])
  })

  it('keep their identity if the generation was purged, unless other components also had their key', async () => {
    const begun = await apply([rights('all'), set('a', 'all'), set('b', 'administrator'), set('c', 'all')])
    await apply([set('d', 'administrator', { renamedFrom: 'b' })])
    await apply([set('b', 'all', { renamedFrom: 'c' })])
    await apply([set('a', 'all', { label: 'A' }), set('b', 'all', { label: 'B' })])
    const last = org.activeGeneration()
    org.store.write((transactor) => transactor.generations.purgeBefore(last))
    expect(seen(['all'], begun, 'a', 'b', 'c')).toEqual(['a'])
  })
})
