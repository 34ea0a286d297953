// An org with hidden content in every place that can have content, each with a unique word.
import { expect } from 'vitest'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { clientSecret, done, impatient, newRemote } from '../support/remote-requests.ts'
import { finished } from '../support/two-orgs.ts'
import { bare, hiddenDigests } from './leak-digests.ts'
import { administrators, fileDefinition as definition, fileValues } from './leak-files.ts'
import { pastMarkers, pastOf } from './leak-past.ts'
import {
  clerkRights,
  channelComponents,
  operationComponents,
  recordComponents,
  recordMarkers,
  saveRecords,
} from './leak-records.ts'
import type { Material } from './leak-requests.ts'

export const kinds = [
  'set',
  'definition',
  'entry',
  'values',
  'request',
  'generation',
  'remote',
  'secret',
  'changes',
  'records',
] as const
export type Kind = (typeof kinds)[number]

export interface LeakOrg {
  test: TestServer
  material: Material
  /** Hidden content, by who can see it nevertheless. */
  markers: Record<Kind, string[]>
  ask: Record<string, Ask>
  /** Changes hidden content while streams are open. */
  stir(): Promise<void>
  events: Record<string, () => string>
  /** Resolves once no job of the remote runs. */
  rest(): Promise<void>
  close(): Promise<void>
}

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
/** User → system permissions. None of them has a grant on hidden content. */
export const people: Record<string, string[]> = {
  nobody: [],
  author: ['config.author'],
  reader: ['config.author'],
  approver: ['deploy.approve'],
  operator: ['operations.manage'],
  shaper: ['metadata.author', 'config.author'],
  granter: ['access.manage'],
  auditor: ['audit.read'],
  keeper: ['integration.manage_credentials'],
  clerk: [],
}

const set = 'qset_marker'
const flag = 'qflag_marker'
const entry = `${set}.qslug_marker`
/** An entry of the hidden set that the remote has and this org does not. */
const remoteEntry = `${set}.qremoteslug_marker`
const drafted = `${set}.qdraftslug_marker`

interface Hidden {
  /** Added to every hidden value. */
  more?: string
  /** The replacement name of everything hidden. */
  named?: (text: string) => string
  /** Number of further hidden results and drafts. */
  further?: number
}

export async function leakOrg({
  more = '',
  named = (text) => text,
  further = 0,
}: Hidden = {}): Promise<LeakOrg> {
  const value = fileValues(more)
  const test = await runningServer({ remoteTerms: impatient })
  const studio: Ask = (method, path, body, headers) =>
    test.studio(
      method,
      named(path),
      body === undefined ? body : JSON.parse(named(JSON.stringify(body))),
      headers,
    )
  const ok = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await studio(method, path, body)
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text])
    return answer.body
  }
  const apply = (...components: unknown[]) => ok('POST', '/metadata/v3/apply', { components })
  const applyHidden = (rationale: string, component: unknown) =>
    ok('POST', '/metadata/v3/apply', { components: [component], rationale })
  await apply(
    ...recordComponents,
    ...channelComponents,
    ...operationComponents,
    ...Object.entries(people).map(([key, systemPermissions]) => ({
      type: 'permission_set',
      key: `${key}_rights`,
      label: key,
      body: { systemPermissions, ...(key === 'clerk' ? clerkRights : {}) },
    })),
  )
  await test.beside(async ({ access }) => {
    for (const key of Object.keys(people))
      await access.addUser(by, { key, name: key, permissionSets: [`${key}_rights`] })
  })
  await apply(
    ...Object.keys(people).map((key) => ({
      type: 'integration_client',
      key,
      label: key,
      body: { authScheme: 'oauth2_client_credentials', runAs: key },
    })),
    definition('other', 'Other', { reader_rights: 'edit' }),
    value('other.all', 'other', 'Other words', 'open'),
    definition(set, 'qlabel_marker', {}),
    value(entry, set, 'qentrylabel_marker', 'qfirst_marker'),
    {
      type: 'feature_flag',
      key: flag,
      label: 'qflaglabel_marker',
      body: {
        owner: { user: 'admin' },
        expiresOn: '2099-01-01',
        rationale: 'qflagrationale_marker',
        default: true,
        ...administrators,
      },
    },
  )
  await applyHidden('qgenerationrationale_marker', value(entry, set, 'qentrylabel_marker', 'qvalue_marker'))
  const records = await saveRecords(test, named)
  const past = await pastOf(
    ok,
    Object.keys(people).map((key) => `${key}_rights`),
    value,
  )
  const remote = await hiddenRemote(studio, value)
  const stored = await ok('POST', '/setup/v3/evaluate', {
    expression: `config.${set}.words`,
    asOf: '2026-06-01',
    store: 'qresultlabel_marker',
  })
  const request = await ok('POST', '/metadata/v3/change-requests', {
    components: [value(entry, set, 'qentrylabel_marker', 'qrequested_marker')],
    title: 'qtitle_marker',
    rationale: 'qrequestrationale_marker',
  })
  const { id, digest, changeDigest } = request as { id: string; digest: string; changeDigest: string }
  await ok('PUT', `/setup/v3/drafts/config_entry/${drafted}`, {
    text: JSON.stringify(value(drafted, set, 'qdraftlabel_marker', 'qdrafttext_marker')),
    version: 0,
  })
  await ok('PUT', `/setup/v3/drafts/config_entry/${entry}`, {
    text: JSON.stringify(value(entry, set, 'qentrylabel_marker', 'qdraftvalue_marker')),
    version: 0,
  })
  await test.beside(({ org }) =>
    org.write((transactor) => {
      const row = transactor.results.get(String(stored['resultId']))!
      const id = (at: number): string => row.id.slice(0, -4) + String(at).padStart(4, '0')
      for (let at = 0; at < further; at += 1) transactor.results.put({ ...row, id: id(at) })
    }),
  )
  for (let at = 0; at < further; at += 1) {
    const key = `${set}.further_${at}`
    await ok('PUT', `/setup/v3/drafts/config_entry/${key}`, {
      text: JSON.stringify(value(key, set, 'Further', 'further')),
      version: 0,
    })
  }
  const digests = await test.beside(({ org }) =>
    Promise.resolve(org.store.read((reader) => hiddenDigests(reader, [set, flag]))),
  )
  const ask: Record<string, Ask> = {}
  const tokens: Record<string, Record<string, string>> = {}
  for (const key of Object.keys(people)) {
    const { token } = await test.beside(({ access }) => access.issueToken(by, key))
    ask[key] = test.bearer(token)
    tokens[key] = { authorization: `Bearer ${token}` }
  }
  ask['anonymous'] = test.plain
  ask['viewed as nobody'] = (method, path, body, headers = {}) =>
    test.studio(method, path, body, { ...headers, 'x-view-as': 'nobody' })
  tokens['viewed as nobody'] = { cookie: test.cookie, 'x-view-as': 'nobody' }
  const events = Object.fromEntries(
    await Promise.all(
      Object.entries(tokens).map(async ([key, headers]) => [key, await followed(test.url, headers)] as const),
    ),
  )
  const generation = Number(
    ((await ok('GET', '/setup/v3/org'))['generation'] as { generation: number }).generation,
  )
  return {
    ...{ test, ask, events },
    material: {
      ...{ set, flag, entry, drafted, generation, past, records },
      requestDigest: digest,
      result: String(stored['resultId']),
      text: 'qvalue_marker',
      parameters: {
        set: [set, flag, 'other', ...past.sets],
        generation: Array.from({ length: generation }, (_, at) => String(at + 1)),
        '/metadata/v3/change-requests/': [id, ...past.requests],
        '/setup/v3/results/': [String(stored['resultId']), ...past.results],
        '/setup/v3/sign-ins/': ['guess'],
        '/setup/v3/jobs/': ['guess'],
        '/data/v3/jobs/ingest/': [records.ingest, 'guess'],
        n: ['1'],
        channel: [
          'ledgers',
          'changes.ledger',
          'memo_clerk_rights',
          'memo_all_records',
          'changes.page',
          'unknown',
        ],
        '/events/v3/subscriptions/': ['guess'],
        '/setup/v3/records/ledger/': records.ledgers,
        '/setup/v3/records/page/': [records.page],
        '/ofrep/v1/evaluate/flags/': [flag, 'unknown'],
        '/setup/v3/clients/': ['qclient'],
        '/setup/v3/users/': ['unknown'],
        credential: ['unknown'],
        endpoint: ['unknown'],
        source: ['unknown'],
        entitySet: ['unknown'],
        service: ['unknown'],
        principal: ['unknown'],
        app: ['desk', 'unknown'],
        object: ['ledger', 'page', 'unknown'],
        operation: ['open_page', 'close_ledger', 'unknown'],
        '/data/v3/ledger/': records.ledgers,
        field: ['name', 'note', 'summary', 'noted', 'title', 'ledger', 'copied', 'far', 'unknown'],
        '/data/v3/page/': [records.page],
        key: ['qremote'],
        '/setup/v3/remotes/qremote/jobs/': remote.jobs,
        id: ['guess'],
      },
      components: [
        ['config_set', set],
        ['config_entry', entry],
        ['config_entry', drafted],
        ['config_entry', remoteEntry],
        ['feature_flag', flag],
        ['value_set', 'unknown'],
        ...past.sets.flatMap((key) => [
          ['config_set', key] as const,
          ['config_entry', `${key}.all`] as const,
        ]),
      ],
    },
    markers: {
      set: [set, flag, ...pastMarkers.set],
      definition: [
        'qlabel_marker',
        'qflaglabel_marker',
        'qflagrationale_marker',
        ...digests.definition,
        ...pastMarkers.definition,
      ],
      entry: ['qslug_marker', 'qdraftslug_marker', 'qremoteslug_marker'],
      values: [
        ...['qentrylabel_marker', 'qfirst_marker', 'qvalue_marker'],
        ...['qresultlabel_marker', 'qrequested_marker', 'qdraftlabel_marker', 'qdrafttext_marker'],
        ...['qdraftvalue_marker', 'qremotevalue_marker', ...digests.values, ...pastMarkers.values],
      ],
      request: ['qtitle_marker', 'qrequestrationale_marker', bare(digest), ...pastMarkers.request],
      generation: ['qgenerationrationale_marker', ...pastMarkers.generation],
      remote: ['qremotename_marker'],
      secret: [remote.secret],
      records: recordMarkers,
      // The digest of the changes alone would be enough to guess the hidden value that a request changes.
      changes: [...digests.changes, bare(changeDigest), remote.digest],
    },
    rest: async () => {
      for (;;) {
        const { body } = await studio<{ jobs?: { state: string }[] }>('GET', '/setup/v3/remotes/qremote/jobs')
        if (body.jobs?.some(({ state }) => state === 'running') !== true) return
        await new Promise((next) => setTimeout(next, 20))
      }
    },
    close: async () => {
      await test.close()
      await remote.close()
    },
    stir: async () => {
      await studio('PUT', `/setup/v3/drafts/config_entry/${entry}`, {
        text: '{"qdraftvalue_marker',
        version: 1,
      })
      await studio('POST', `/metadata/v3/change-requests/${id}/comments`, { text: 'qtitle_marker' })
      await studio('DELETE', `/setup/v3/drafts/config_entry/${drafted}`)
    },
  }
}

/** A second org with a different hidden value, as a remote that was compared, retrieved and pushed to. */
async function hiddenRemote(
  studio: Ask,
  value: ReturnType<typeof fileValues>,
): Promise<{ secret: string; jobs: string[]; digest: string; close: () => Promise<void> }> {
  const org = await runningServer()
  done(
    await org.studio('POST', '/metadata/v3/apply', {
      components: [
        definition(set, 'qlabel_marker', {}),
        value(remoteEntry, set, 'qentrylabel_marker', 'qremotevalue_marker'),
      ],
    }),
  )
  const secret = await clientSecret(org)
  const path = '/setup/v3/remotes/qremote'
  done(
    await studio('POST', '/setup/v3/remotes', {
      ...newRemote(org.url, secret),
      ...{ key: 'qremote', name: 'qremotename_marker' },
    }),
  )
  const jobs: string[] = []
  let digest = ''
  for (const [verb, body] of [
    ['compare', {}],
    ['retrieve', {}],
    ['push', { ids: [`config_entry/${entry}`] }],
  ] as const) {
    const { id, plan } = await finished(studio, path, verb, body)
    jobs.push(id)
    digest = bare(plan?.changeDigest ?? '')
  }
  return { secret, jobs, digest, close: org.close }
}

/** What an event stream has sent so far. */
async function followed(url: string, headers: Record<string, string>): Promise<() => string> {
  const response = await fetch(`${url}/setup/v3/events`, { headers })
  const reader = response.body!.getReader()
  let text = ''
  const decoder = new TextDecoder()
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value: bytes } = await reader.read()
      if (done) return
      text += decoder.decode(bytes, { stream: true })
    }
  }
  read().catch(() => undefined)
  return () => text
}
