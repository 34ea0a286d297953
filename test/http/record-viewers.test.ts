// Who can see a record, and why.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const text = { type: 'text' }
const rights = { read: true, update: true }
const permissionSet = (key: string, body: object): object => ({
  type: 'permission_set',
  key,
  label: key,
  body,
})

let test: TestServer
let asks: Record<string, Ask>
beforeAll(async () => {
  test = await runningServer()
  const fields = { 'case.title': { edit: true }, 'case.owner': { edit: true }, 'case.open': { edit: true } }
  await apply(test.studio, [
    {
      ...{ type: 'object', key: 'case', label: 'Case' },
      body: {
        fields: [
          { key: 'title', ...text },
          { key: 'owner', ...text },
          { key: 'open', type: 'boolean' },
        ],
        sharing: {
          ownerField: 'owner',
          rules: [{ key: 'open_cases', permissionSet: 'auditors', when: 'open', access: 'read' }],
        },
      },
    },
    permissionSet('workers', { objects: { case: { ...rights, create: true } }, fields }),
    permissionSet('auditors', { objects: { case: rights }, fields }),
    permissionSet('chiefs', { objects: { case: { ...rights, delete: true, modifyAll: true } }, fields }),
    permissionSet('managers', {
      systemPermissions: ['access.manage'],
      objects: { case: { read: true, viewAll: true } },
    }),
  ])
  asks = await signIn(test, [
    { key: 'wim', permissionSets: ['workers'] },
    { key: 'wes', permissionSets: ['workers'] },
    { key: 'aud', permissionSets: ['auditors'] },
    { key: 'che', permissionSets: ['chiefs', 'auditors'] },
    { key: 'man', permissionSets: ['managers'] },
  ])
})
afterAll(() => test.close())

interface Viewers {
  viewers: { user: string; name: string; rights: string[]; reasons: object[] }[]
}

it('lists the users who can read a record, with what they can do and every reason', async () => {
  const { body: saved } = await asks['wim']!<{ id: string }>('POST', '/data/v3/case', {
    title: 'A',
    open: true,
  })
  const path = `/setup/v3/records/case/${saved.id}/viewers`
  const { body } = await asks['man']!<Viewers>('GET', path)
  expect(
    Object.fromEntries(body.viewers.map(({ user, rights: can, reasons }) => [user, [can, reasons]])),
  ).toEqual({
    wim: [['read', 'update'], [{ kind: 'owner', access: 'read_write' }]],
    aud: [
      ['read'],
      [{ kind: 'sharing_rule', access: 'read', rule: 'open_cases', permissionSet: 'auditors' }],
    ],
    che: [
      ['read', 'update', 'delete'],
      [
        { kind: 'modify_all', access: 'read_write' },
        { kind: 'sharing_rule', access: 'read', rule: 'open_cases', permissionSet: 'auditors' },
      ],
    ],
    man: [['read'], [{ kind: 'view_all', access: 'read' }]],
  })
  const { status } = await asks['wes']!('GET', path)
  expect(status).toBe(403)
})
