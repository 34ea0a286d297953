import { beforeAll, expect, it } from 'vitest'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repairCompanion } from '../import/index.ts'
import { initOrg } from '../compose/open-org.ts'
import type { DraftChange, Org } from './index.ts'

const by = (actor: string) => ({ actor, correlationId: 'c' })
const text = JSON.stringify({ type: 'value_set', key: 'sizes', label: 'Sizes', body: { values: [] } })
const id = 'value_set/sizes'

let org: Org
let changes: DraftChange[]

beforeAll(async () => {
  org = initOrg(join(mkdtempSync(join(tmpdir(), 'drafts-')), 'org'), { name: 'Drafts', environment: 'test' })
  await org.write((transactor) =>
    transactor.people.putUser({
      ...transactor.people.user('admin')!,
      key: 'rea',
      name: 'Rea',
      permissionSets: [],
      groups: [],
    }),
  )
  changes = []
  org.onDraftChange((change) => changes.push(change))
  return () => org.close()
})

it('reports each change to a draft after its transaction, with the user who made it', async () => {
  await org.saveDraft({ id, text, version: 0, actor: by('admin'), viewer: null })
  await org.saveDrafts(by('admin'), [{ id, text: `${text} `, version: 1, actor: by('admin'), viewer: null }])
  const { id: batch } = await org.discardDrafts({
    ...{ drafts: [id], includesOthers: false, actor: by('admin'), viewer: null },
  })
  await org.restoreDrafts(batch, { actor: by('admin'), viewer: null })
  await org.saveDraftBatch({ drafts: [{ id, version: 2, text }], actor: by('admin'), viewer: null })
  await org.discardDraftsOf(['admin'], { actor: by('admin'), viewer: null })
  expect(changes).toEqual([1, 2, 0, 2, 3, 0].map((version) => ({ id, version, author: 'admin' })))
})

it('reports what the companion of a save discards', async () => {
  await org.saveDraft({ id, text, version: 0, actor: by('admin'), viewer: null })
  changes = []
  await org.saveDrafts(by('admin'), [], repairCompanion({ drafts: [], dropped: [id], user: null }))
  expect(changes).toEqual([{ id, version: 0, author: 'admin' }])
})

it('refuses a user who cannot author, and reports nothing', async () => {
  await org.saveDraft({ id, text, version: 0, actor: by('admin'), viewer: null })
  changes = []
  const rea = { actor: by('rea'), viewer: null }
  const refused = [
    org.saveDraft({ id, text, version: 1, ...rea }),
    org.saveDrafts(rea.actor, [{ id, text, version: 1, ...rea }]),
    org.saveDraftBatch({ drafts: [{ id, version: 1, drop: true }], ...rea }),
    org.discardDraft(id, rea),
    org.discardDrafts({ drafts: [id], includesOthers: true, ...rea }),
    org.discardDraftsOf(['admin'], rea),
    org.restoreDrafts('any', rea),
    org.renameDraft({ from: id, toKey: 'lengths', ...rea }),
  ]
  for (const each of refused)
    await expect(each).rejects.toMatchObject({
      code: 'access.denied',
      details: [{ id: 'user/rea', permission: 'config.author' }],
    })
  expect(changes).toEqual([])
  await org.discardDraft(id, { actor: { ...by('rea'), isOperator: true }, viewer: null })
})
