// The largest request of each route that writes or has a body: requests that it accepts, in an order in which each
// finds what it needs. The suite fails for a route that is not listed here.
import { compareWithFar, farKey, untilStill, type FarOrg } from './far-org.ts'
import { changedEntries, idOf, undraftedEntries } from './large-list.ts'
import { largeSet } from './large-org.ts'
import type { MeasuredServer } from './measured-server.ts'
import { outboxRequests } from './outbox-requests.ts'
import { webhookRequests } from './webhook-requests.ts'
import { rebindAll, recordRequests } from './record-requests.ts'
import type { OrgNames } from './worst-queries.ts'

export interface Scene {
  server: MeasuredServer
  far: FarOrg
  names: OrgNames
}

export interface Most {
  /** Values for its path; if one is omitted, a name of the large org. */
  at?: Record<string, string>
  query?: string
  body?: unknown
  headers?: Record<string, string>
  /** The error code, if the request can only be refused. */
  refused?: string
}

/** Made again for each measurement, because the last one may have consumed what it needs. */
export type Make = (scene: Scene) => Most | Promise<Most>

const password = 'harbour lantern orchid 47 meadow'
const rationale = 'Measured.'
const longText = 'x'.repeat(10_000)
const requests = '/metadata/v3/change-requests'
const discarded = '/setup/v3/discarded-drafts'
const approver = 'approver'

/** As many ids as fit the element limit of a default budget. */
const mostIds = 9900

const csv = `key;from;rate\n${Array.from({ length: 20_000 }, (_, at) => `new_${at};2026-01-01;1.5`).join('\n')}`
const table = {
  ...{ set: largeSet, csv },
  map: { key: 'key', from: 'from', delimiter: ';', values: { rate: 'rate' } },
}
const flag = 'new_invoice_page'
/** Attributes of an OpenFeature client. */
const widestContext = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: mostIds }, (_, at) => [`attribute_${at}`, 'x'.repeat(50)]))
const question = { set: largeSet, key: 'key_000001', asOf: '2026-01-01' }
const expression = `config.${largeSet}("key_000000").rate + 1`

let turn = 0
/** A different value each time, so that there is always a change. */
const nextRate = (): string => `${1000 + (turn += 1)}.25`
const list = (): { components: unknown[] } => ({ components: changedEntries(nextRate()) })

function orgOf({ ask }: MeasuredServer): Promise<{ lineage: string; generation: { generation: number } }> {
  return ask('GET', '/setup/v3/org')
}

async function active({ server }: Scene): Promise<number> {
  return (await orgOf(server)).generation.generation
}

/** In a separate set, so that it does not disturb other steps. */
async function aDraft({ server }: Scene): Promise<{ type: string; key: string }> {
  const key = `measured_${(turn += 1)}`
  await server.ask('PUT', `/setup/v3/drafts/app/${key}`, { text: '{', version: 0 })
  return { type: 'app', key }
}

async function drafts({ server }: Scene): Promise<string[]> {
  return (await server.ask<{ drafts: string[] }>('GET', '/setup/v3/draft-names')).drafts
}

async function lastDiscarded({ server }: Scene): Promise<{ id: string } | null> {
  return (await server.ask<{ discarded: { id: string } | null }>('GET', discarded)).discarded
}

async function discardMany(scene: Scene): Promise<void> {
  const ids = (await drafts(scene)).slice(0, mostIds)
  await scene.server.ask('POST', discarded, { drafts: ids, others: true })
}

function aRequest({ server }: Scene): Promise<{ id: string; digest: string }> {
  const small = { components: undraftedEntries(1, nextRate()), rationale }
  return server.ask<{ id: string; digest: string }>('POST', requests, small)
}

interface BigRequest {
  id: string
  digest: string
  revision: number
}

/** The request that changes every tenth entry. */
function bigRequest({ server, names }: Scene): Promise<BigRequest> {
  return server.ask<BigRequest>('GET', `${requests}/${names.request}`)
}

/** A user with a password. */
async function addApprover({ server }: Scene): Promise<void> {
  const { users } = await server.ask<{ users: { key: string }[] }>('GET', '/setup/v3/users')
  if (users.some(({ key }) => key === approver)) return
  const permissionSets = ['administrator']
  await server.ask('POST', '/setup/v3/users', { key: approver, name: 'Ada', permissionSets, password })
}

/** Signs in as another user, who approves and rejects. */
async function asApprover(scene: Scene): Promise<Record<string, string>> {
  const { server } = scene
  await addApprover(scene)
  const { token } = await server.ask<{ token: string }>('POST', '/session/token', {
    ...{ user: approver, password },
  })
  return { cookie: '', authorization: `Bearer ${token}` }
}

async function invitation({ server }: Scene, user: string): Promise<string> {
  return (await server.ask<{ secret: string }>('POST', `/setup/v3/users/${user}/invitation`)).secret
}

async function versionOf({ server }: Scene, kind: 'users' | 'groups', key: string): Promise<string> {
  const people = await server.ask<Record<string, { key: string; version: string }[]>>(
    'GET',
    '/setup/v3/users',
  )
  return people[kind]!.find((each) => each.key === key)!.version
}

/** A group of hundreds of members. */
const large = 'finance'

/** The large group, made again if the last attempt deleted it. */
async function refill({ server: { ask } }: Scene): Promise<void> {
  const { users, groups } = await ask<Record<string, { key: string; version: string }[]>>(
    'GET',
    '/setup/v3/users',
  )
  if (groups!.some(({ key }) => key === large)) return
  const body = { version: null, name: 'Finance', permissionSets: ['tax_reader'] }
  await ask('PUT', `/setup/v3/groups/${large}`, body)
  for (const { key, version } of users!.filter(({ key }) => key.startsWith('user_')))
    await ask('PUT', `/setup/v3/users/${key}`, { version, groups: [large] })
}

async function clientForm({ server }: Scene): Promise<string> {
  const { clientId, clientSecret } = await server.ask<{ clientId: string; clientSecret: string }>(
    'POST',
    '/setup/v3/clients/web_shop/secrets',
  )
  const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  return new URLSearchParams(fields).toString()
}

const sampleLogin = { credential: 'ledger_login', principal: 'service' }

/** A principal with current and staged secrets. */
async function stagedLogin({ server }: Scene): Promise<typeof sampleLogin> {
  const path = `/setup/v3/credentials/${sampleLogin.credential}/principals/${sampleLogin.principal}/next`
  const values = { clientId: 'ledger', clientSecret: 'secret' }
  for (const _ of ['current', 'next']) await server.ask('PUT', path, { values })
  return sampleLogin
}

/** A principal to which users consent, whose client has secrets. */
async function accountOf({ server }: Scene): Promise<typeof sampleLogin> {
  const body = {
    ...{ scheme: 'oauth2_authorization_code', clientAuthentication: 'none' },
    ...{ tokenUrl: 'http://127.0.0.1:9/token', authorizationUrl: 'http://127.0.0.1:9/authorize' },
    principals: [{ key: 'person', mode: 'per_user', grantedTo: ['administrator'] }],
  }
  const component = { type: 'external_credential', key: 'calendar', label: 'Calendar', body }
  await server.ask('POST', '/metadata/v3/apply', { components: [component] })
  const path = '/setup/v3/credentials/calendar/principals/person/next'
  await server.ask('PUT', path, { values: { clientId: 'almanac' } })
  return { credential: 'calendar', principal: 'person' }
}

const far = { key: farKey }

/** A job that has finished its comparison and waits. */
async function reviewed({ server, far: { server: there } }: Scene): Promise<{ key: string; id: string }> {
  const some = changedEntries(nextRate()).slice(0, 50)
  await there.ask('POST', '/metadata/v3/apply', { components: some })
  const job = await server.ask<{ id: string; state: string }>('POST', `/setup/v3/remotes/${farKey}/push`, {
    ids: some.map(idOf),
    ...{ review: true, rationale },
  })
  await untilStill(server, job)
  return { key: farKey, id: job.id }
}

export const mostAsked: Record<string, Make> = {
  // Reads.
  getContents: () => ({ body: { ids: changedEntries('1').slice(0, 1000).map(idOf) } }),
  diff: () => ({ body: { ...list(), prune: true } }),
  validate: () => ({ body: list() }),
  plan: () => ({ body: { ...list(), prune: true } }),
  impact: () => ({ body: list() }),
  recordsImpact: () => ({ body: list() }),
  reviewDocument: () => ({ body: list() }),
  changeRequestImpact: () => ({ body: {} }),
  changeRequestRecordsImpact: () => ({ body: {} }),
  inspectTable: () => ({ body: { csv, set: largeSet } }),
  previewImport: () => ({ body: table }),
  exportRows: () => ({
    body: {
      format: 'csv',
      slugs: changedEntries('1').map(({ key }) => key.slice(largeSet.length + 1)),
    },
  }),
  resolve: () => ({ body: { ...question, explain: true } }),
  evaluate: () => ({ body: { expression, asOf: '2026-01-01' } }),
  // A record is measured with the requests of the data API.
  evaluateForRecord: () => ({
    body: { expression, id: 'none', site: { kind: 'validation_rule', object: 'none' } },
    refused: 'object.not_found',
  }),
  checkExpression: () => ({ body: { expression } }),
  completeExpression: () => ({ body: { expression, offset: 7 } }),
  // The service does not exist: imports are measured with their own limits.
  importService: () => ({ at: { service: 'none' }, refused: 'component.not_found' }),
  evaluateFlag: () => ({ at: { key: flag }, body: { context: widestContext() } }),
  evaluateFlags: () => ({ body: { context: widestContext() } }),
  replay: ({ names }) => ({ body: { resultId: names.result } }),
  recompute: ({ names }) => ({ body: { resultId: names.result } }),
  explainResolution: () => ({ body: question }),
  comparePoints: ({ names: { generation } }) => ({
    body: {
      set: largeSet,
      a: { generation, asOf: '2026-01-01' },
      b: { generation: generation - 1, asOf: '2000-01-01' },
    },
  }),
  keyMap: () => ({ body: { set: largeSet, key: 'key_000000' } }),
  exportEvidence: async ({ server, names }) => {
    await server.ask('POST', `/setup/v3/results/${names.result}/rebind`)
    return { body: { resultId: names.result } }
  },

  // Drafts: 10,000 of two authors.
  discardDrafts: async (scene) => {
    const last = await lastDiscarded(scene)
    if (last !== null) await scene.server.ask('POST', `${discarded}/${last.id}/restore`)
    return { body: { drafts: (await drafts(scene)).slice(0, mostIds), others: true } }
  },
  restoreDiscardedDrafts: async (scene) => {
    if ((await lastDiscarded(scene)) === null) await discardMany(scene)
    return { at: { id: (await lastDiscarded(scene))!.id } }
  },
  forgetDiscardedDrafts: async (scene) => {
    const draftList = undraftedEntries(5000, nextRate()).map((entry) => ({
      ...{ id: idOf(entry), version: 0, text: JSON.stringify(entry) },
    }))
    await scene.server.ask('PUT', '/setup/v3/drafts', { drafts: draftList })
    await scene.server.ask('POST', discarded, { drafts: draftList.map(({ id }) => id) })
    return { at: { id: (await lastDiscarded(scene))!.id } }
  },
  saveDraft: async (scene) => ({
    at: await aDraft(scene),
    body: { text: `{"a":"${'x'.repeat(1_000_000)}"}`, version: 1 },
  }),
  discardDraft: async (scene) => ({ at: await aDraft(scene) }),
  apply: async (scene) => {
    const { components } = list()
    return { body: { components, base: await active(scene), rationale } }
  },
  rollback: async (scene) => {
    const base = await active(scene)
    return { body: { generation: base - 1, base, rationale } }
  },
  revert: async (scene) => {
    const base = await active(scene)
    const components = changedEntries('1').slice(0, mostIds).map(idOf)
    return { body: { generation: base, base, rationale, components } }
  },
  repair: async (scene) => {
    const [gap] = undraftedEntries(5, '1').slice(2)
    const path = `/setup/v3/drafts/${idOf(gap!)}`
    await scene.server.ask('DELETE', path).catch(() => null)
    await scene.server.ask('PUT', path, { text: null, version: 0 })
    const key = gap!.key.slice(largeSet.length + 1, largeSet.length + 11)
    return {
      body: { findings: { code: 'config.range_gap', set: largeSet, key }, choice: 'extend_earlier' },
    }
  },
  importTable: () => ({ body: table }),
  keepDrafts: () => {
    turn += 1
    const fresh = Array.from({ length: 5000 }, (_, at) => `app/kept_${turn}_${at}`)
    return { body: { drafts: fresh.map((id) => ({ id, version: 0, text: '{' })) } }
  },
  rename: () => ({ body: { type: 'config_set', from: largeSet, to: `renamed_${(turn += 1)}` } }),

  // A remote that differs in every tenth entry; requests that start a job are in remote-jobs.ts.
  addRemote: ({ far: { remote } }) => ({ body: { ...remote, key: `far_${(turn += 1)}` } }),
  changeRemote: () => ({ at: far, body: { name: 'Far' } }),
  contactRemote: () => ({ at: far }),
  pinRemote: async ({ far: { server } }) => {
    const { lineage } = await orgOf(server)
    return { at: far, body: { lineage } }
  },
  acknowledgeRemote: async (scene) => {
    await compareWithFar(scene.server)
    return { at: far, body: { generation: await active({ ...scene, server: scene.far.server }) } }
  },
  cancelRemoteJob: async (scene) => ({ at: await reviewed(scene) }),
  removeRemote: async ({ server, far: { remote } }) => {
    const key = `gone_${(turn += 1)}`
    await server.ask('POST', '/setup/v3/remotes', { ...remote, key })
    return { at: { key } }
  },

  // Users and their sign-ins.
  addUser: () => ({
    body: {
      ...{ key: `measured_${(turn += 1)}`, name: 'Measured', groups: ['finance'] },
      permissionSets: ['administrator', 'tax_reader'],
    },
  }),
  changeUser: async (scene) => ({
    at: { key: 'user_0' },
    body: { version: await versionOf(scene, 'users', 'user_0'), name: `User ${(turn += 1)}` },
  }),
  assignPermissionSets: () => ({ at: { key: 'user_0' }, body: { permissionSets: ['tax_author'] } }),
  setUserPassword: () => ({ at: { key: 'user_0' }, body: { password } }),
  viewAsUser: () => ({ at: { key: 'user_1' } }),
  inviteUser: () => ({ at: { key: 'user_1' } }),
  withdrawInvitation: async (scene) => {
    await invitation(scene, 'user_3')
    return { at: { key: 'user_3' } }
  },
  acceptInvitation: async (scene) => ({ body: { secret: await invitation(scene, 'user_2'), password } }),
  putGroup: async (scene) => ({
    at: { key: 'finance' },
    body: {
      version: await versionOf(scene, 'groups', 'finance'),
      ...{ name: 'Finance', permissionSets: ['tax_author', 'tax_reader'] },
    },
  }),
  deleteGroup: async (scene) => {
    await refill(scene)
    return { at: { key: large }, query: `version=${await versionOf(scene, 'groups', large)}` }
  },
  signIn: async (scene) => {
    await addApprover(scene)
    return { body: { user: approver, password } }
  },
  tokenForPassword: () => ({ body: { user: approver, password } }),
  mintToken: () => ({ body: { label: 'Measured' } }),
  endSignIn: async ({ server }) => {
    const { id } = await server.ask<{ id: string }>('POST', '/setup/v3/tokens', { label: 'Gone' })
    return { at: { id } }
  },
  endSignIns: () => ({ query: `user=${approver}` }),
  makeClientSecret: () => ({ at: { key: 'web_shop' } }),
  revokeClientSecret: async ({ server }) => {
    const { id } = await server.ask<{ id: string }>('POST', '/setup/v3/clients/web_shop/secrets')
    return { at: { key: 'web_shop', id } }
  },
  stageSecrets: () => ({
    at: sampleLogin,
    body: { values: { clientId: 'ledger', clientSecret: 'x'.repeat(60_000) } },
  }),
  unstageSecrets: async (scene) => ({ at: await stagedLogin(scene) }),
  promoteSecrets: async (scene) => ({ at: await stagedLogin(scene) }),
  removeSecrets: async (scene) => ({ at: await stagedLogin(scene) }),
  renewVaultKey: async (scene) => {
    await stagedLogin(scene)
    return {}
  },
  startConsent: async (scene) => ({ at: await accountOf(scene), body: { browser: 'system' } }),
  withdrawConsent: async (scene) => ({ at: await accountOf(scene) }),
  issueToken: async (scene) => ({
    body: await clientForm(scene),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  keepWorkspace: () => ({
    body: {
      sides: [{ tabs: Array<string>(20).fill('/home'), front: '/home' }],
      ...{ focused: 0, share: 50, dock: { panel: 'problems', height: 100, open: true } },
      ...{ explorer: { by: 'type', open: [] }, places: [] },
    },
  }),

  ...recordRequests,
  ...outboxRequests,
  ...webhookRequests,

  // An operation of many actions, with the longest text that a request can pass.
  invokeOperation: async ({ server }) => {
    const actions = Array.from({ length: 50 }, (_, at) => ({
      ...{ key: `refuse_${at}`, type: 'raise', when: 'note == "never"', message: 'Never.' },
    }))
    const body = {
      ...{ phase: 'invocable', grantedTo: ['administrator'], params: [{ key: 'note', type: 'text' }] },
      ...{ actions, returns: { note: 'note' } },
    }
    const component = { type: 'automation', key: 'measured', label: 'Measured', body }
    await server.ask('POST', '/metadata/v3/apply', { components: [component] })
    return { at: { operation: 'measured' }, body: { params: { note: 'x'.repeat(1_000_000) } } }
  },

  // Change requests: one of 10,000 changes. From the second one on, an apply needs an approval.
  createChangeRequest: () => ({ body: { ...list(), rationale } }),
  requireApprovals: () => ({ body: { required: 1 } }),
  editChangeRequest: async (scene) => {
    const { revision } = await bigRequest(scene)
    return { body: { ...list(), rationale, revision } }
  },
  commentOnChangeRequest: () => ({ body: { text: longText } }),
  scheduleChangeRequest: () => ({ body: { applyOn: '2126-01-01' } }),
  approveChangeRequest: async (scene) => ({
    headers: await asApprover(scene),
    body: { digest: (await bigRequest(scene)).digest },
  }),
  applyChangeRequest: async (scene) => ({ body: { digest: (await bigRequest(scene)).digest } }),
  rejectChangeRequest: async (scene) => ({
    ...{ at: { id: (await aRequest(scene)).id }, headers: await asApprover(scene) },
    body: { reason: longText },
  }),
  withdrawChangeRequest: async (scene) => ({
    at: { id: (await aRequest(scene)).id },
    body: { reason: longText },
  }),

  // Requests that end something.
  rebindResult: ({ names }) => ({ at: { id: names.result } }),
  archiveResult: ({ names }) => ({ at: { id: names.result } }),
  purgeGenerations: async ({ server, names }) => {
    for (const object of ['invoice_line', 'invoice', 'customer']) await rebindAll(server, object)
    return { body: { before: names.generation } }
  },
  eraseRecord: () => ({
    body: { object: 'guess', id: 'guess', reason: longText.slice(0, 1000) },
    refused: 'object.not_found',
  }),
  archiveValue: () => ({
    at: { object: 'guess', id: 'guess', field: 'guess' },
    refused: 'object.not_found',
  }),
  removeArchive: () => ({ at: { id: 'guess' }, refused: 'record.archive_not_found' }),
  changePassword: () => ({ body: { current: password, password } }),
}
