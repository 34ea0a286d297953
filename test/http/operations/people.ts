// Requests for each operation on users, clients and sessions.
import type { ApiDocument } from './api-document.ts'

const password = 'a long enough password'
const nextPassword = 'an even longer password'

type Headers = Record<string, string>

/** Adds a user who can do what the administrator can. Returns headers with a bearer token. */
export async function addApprover(api: ApiDocument): Promise<Headers> {
  const user = { key: 'ines', name: 'Ines', permissionSets: ['administrator'], password }
  await api.send('addUser', { body: user })
  const { body } = await api.send<{ token: string }>('tokenForPassword', {
    body: { user: 'ines', password },
    as: {},
  })
  return { authorization: `Bearer ${body.token}` }
}

export async function managePeople(api: ApiDocument): Promise<void> {
  const path = { key: 'olaf' }
  const { body: added } = await api.send<{ version: string }>('addUser', {
    body: { key: 'olaf', name: 'Olaf' },
  })
  await api.send('listUsers')
  await api.send('changeUser', { path, body: { version: added.version, name: 'Olaf B.' } })
  await api.send('assignPermissionSets', { path, body: { permissionSets: ['tax_reader'] } })
  await api.send('describeAccess', { path })
  await api.send('myAccess')
  await api.send('explainAccess', { query: { user: 'olaf', component: 'config_set/vat_rate' } })
  await api.send('viewAsUser', { path })
  await api.send('inviteUser', { path })
  await api.send('listInvitations')
  await api.send('withdrawInvitation', { path })
  const invited = await api.send<{ secret: string }>('inviteUser', { path })
  await api.send('acceptInvitation', { body: { secret: invited.body.secret, password }, as: {} })
  await api.send('setUserPassword', { path, body: { password } })
  const group = { version: null, name: 'Audit', permissionSets: ['tax_reader'] }
  const { body: put } = await api.send<{ version: string }>('putGroup', {
    path: { key: 'audit' },
    body: group,
  })
  await api.send('deleteGroup', { path: { key: 'audit' }, query: { version: put.version } })
  await api.send('getWorkspace')
  await api.send('keepWorkspace', {
    body: {
      sides: [{ tabs: ['/home'], front: '/home' }],
      ...{ explorer: { by: 'type', open: [] }, places: [] },
      ...{ focused: 0, share: 50, dock: { panel: 'problems', height: 200, open: false } },
    },
  })
}

export async function manageClients(api: ApiDocument): Promise<void> {
  await api.send('listClients')
  await api.send('listClientUses', { path: { key: 'web_shop' } })
  const { body } = await api.send<{ clientSecret: string }>('makeClientSecret', {
    path: { key: 'web_shop' },
    body: { days: 30 },
  })
  const form = { grant_type: 'client_credentials', client_id: 'web_shop', client_secret: body.clientSecret }
  await api.send('issueToken', { body: new URLSearchParams(form), as: {} })
  const listed = await api.send<{ secrets: { id: string }[] }>('listClientSecrets', {
    path: { key: 'web_shop' },
  })
  await api.send('revokeClientSecret', { path: { key: 'web_shop', id: listed.body.secrets[0]!.id } })
}

export async function manageCredentials(api: ApiDocument): Promise<void> {
  const { body } = await api.send<{ credentials: { credential: string; principals: Principal[] }[] }>(
    'listCredentials',
  )
  const found = body.credentials.find(({ principals }) => principals.some(isShared))!
  const { key: principal, slots } = found.principals.find(isShared)!
  const path = { credential: found.credential, principal }
  const values = Object.fromEntries(
    slots.filter(({ required }) => required).map(({ name }) => [name, 'a secret']),
  )
  await api.send('getCredential', { path: { credential: found.credential } })
  for (const _ of ['current', 'next']) await api.send('stageSecrets', { path, body: { values } })
  await api.send('unstageSecrets', { path })
  await api.send('stageSecrets', { path, body: { values } })
  await api.send('promoteSecrets', { path, body: { graceHours: 1 } })
  await api.send('removeSecrets', { path })
  await api.send('getVault')
  await api.send('renewVaultKey')
}

interface Principal {
  key: string
  mode: string
  slots: { name: string; required: boolean }[]
}
const isShared = ({ mode }: Principal): boolean => mode === 'named'

export async function signInAndOut(api: ApiDocument, origin: string): Promise<void> {
  const signIn = async (secret: string): Promise<Headers> => {
    const { headers } = await api.send('signIn', { body: { user: 'olaf', password: secret }, as: { origin } })
    return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', origin }
  }
  const first = await signIn(password)
  await api.send('changePassword', { body: { current: password, password: nextPassword }, as: first })
  const second = await signIn(nextPassword)
  await api.send('describeSession', { as: second })
  await api.send('mintToken', { body: { label: 'A script' }, as: second })
  const { body } = await api.send<{ signIns: { id: string; current: boolean }[] }>('listSignIns', {
    as: second,
  })
  const other = body.signIns.find(({ current }) => !current)!
  await api.send('endSignIn', { path: { id: other.id }, as: second })
  await api.send('endSignIns', { as: second })
  await api.send('signOut', { as: await signIn(nextPassword) })
}
