// Requests for hidden content: by its names if a path or a body contains one, and without them otherwise.

import type { LeakPast } from './leak-past.ts'
import type { LeakRecords } from './leak-records.ts'

export interface Material {
  set: string
  flag: string
  entry: string
  drafted: string
  requestDigest: string
  result: string
  generation: number
  past: LeakPast
  records: LeakRecords
  text: string
  /** Values of a path parameter: by the path before it, or by its name. */
  parameters: Record<string, readonly string[]>
  components: readonly (readonly [type: string, key: string])[]
}

/** In addition to the plain path. */
export function queries({ set, entry, text, generation, past }: Material): Record<string, readonly string[]> {
  const then = past.generations.map((each) => `?generation=${each}`)
  return {
    explainAccess: [`?component=config_set/${set}`, `?component=config_entry/${entry}`],
    listComponents: [`?set=${set}`, `?q=${text}`, '?state=changed', '?state=invalid', '?limit=2000'],
    deleteGroup: ['?version=guess'],
    openSession: ['?once=guess'],
    openConsentPage: ['?ticket=guess'],
    finishConsent: ['?state=guess&code=guess'],
    withdrawConsent: [`?user=${text}`],
    search: [`?q=${text}`, `?q=${set}`, '?q=sealed', '?q=marker'],
    getComponent: [`?generation=${generation - 1}`, ...then],
    keyHistory: ['?key=k'],
    retrieve: [`?generation=${generation - 1}`, ...then],
    exportSet: ['?format=json', '?format=jsonl', ...then],
    listChangeRequests: ['?state=open'],
    listAudit: [
      `?component=config_entry/${entry}`,
      ...past.sets.map((each) => `?component=config_entry/${each}.all`),
      '?search=qpastvalue',
    ],
    exportAudit: ['?format=jsonl'],
    listSignIns: ['?user=*'],
    endSignIns: ['?user=reader'],
    getWorkspace: [],
    listTrace: [`?correlationId=${text}`, `?subject=config_set/${set}`, '?kind=save', '?limit=2000'],
    listPrincipals: ['?q=a'],
    whereUsed: ['?member=words'],
    listEntryColumns: ['?limit=10', ...then],
    listIngests: ['?state=completed', '?limit=100', '?object=ledger&failed=true', '?object=guess'],
    getIngestResults: ['?format=jsonl', '?format=csv', '?outcome=failed', '?format=jsonl&after=1&limit=1'],
    readEvents: [
      ...['?from=earliest', '?from=latest', '?after=0:0', '?partition=0&from=1', '?after=0:9'],
      ...['?before=latest', '?from=2020-01-01', '?before=2100-01-01'],
    ],
    listSubscriptions: ['?owner=recorder', '?channel=memo_all_records', '?removed=true'],
    countReplay: ['?from=earliest', '?from=earliest&owner=recorder'],
    putSubscription: ['?owner=recorder'],
    deleteSubscription: ['?owner=recorder'],
    getIngestRows: ['?of=failed', '?of=unprocessed'],
    getRecord: [
      '?fields=name,note,code,owner,summary',
      '?fields=title,copied,ledger.name,ledger.note,ledger.summary',
    ],
    listEntryLabels: ['?limit=10', ...then],
  }
}

export function bodies(material: Material): Record<string, readonly unknown[]> {
  const recordIds = [...material.records.ledgers, material.records.page]
  const { set, flag, entry, drafted, requestDigest, result, generation, past, text } = material
  const id = `config_entry/${entry}`
  const draftId = `config_entry/${drafted}`
  const mine = {
    type: 'config_entry',
    key: entry,
    label: 'guess',
    body: { set, scope: { kind: 'org' }, values: { words: 'guess' } },
  }
  const definition = {
    type: 'config_set',
    key: set,
    label: 'guess',
    body: { cardinality: 'singleton', fields: [{ key: 'other', type: 'text', required: true }] },
  }
  const lists = [
    {},
    { drafts: true },
    { drafts: [draftId] },
    { components: [mine] },
    { components: [definition] },
    { removals: [id] },
    { removals: [`config_set/${set}`, `feature_flag/${flag}`] },
    { components: [], prune: true },
    { components: [], removals: [], unread: [id] },
  ]
  const old = past.sets.map((key) => ({ ...mine, key: `${key}.all`, body: { ...mine.body, set: key } }))
  const judged = [
    ...lists,
    ...past.generations.flatMap((each) => [
      { generation: each },
      { revert: { generation: each } },
      ...old.map(({ key }) => ({ revert: { generation: each, components: [`config_entry/${key}`] } })),
    ]),
  ]
  /** Over its earlier value, so that a conflict shows that value. */
  const overtaken = past.generations.flatMap((base) =>
    old.flatMap((component) => [
      { components: [component], base },
      { removals: [`config_entry/${component.key}`], base },
    ]),
  )
  const sendable = lists.filter((list) => !('unread' in list))
  const question = { set, asOf: '2026-06-01' }
  const evaluation = { expression: `config.${set}.words`, asOf: '2026-06-01' }
  const then = past.generations.flatMap((each) =>
    past.sets.map((of) => ({ ...question, set: of, generation: each })),
  )
  const table = { csv: 'words\nguess\n', set, map: { set, columns: { words: { field: 'words' } } } }
  const results = [result, ...past.results].map((resultId) => ({ resultId }))
  const point = { generation, asOf: null }
  const none = { user: 'nobody', password: 'wrong horse battery' }
  const records = ['ledger', 'page'].flatMap((object) => [
    { object, op: 'insert', fields: { name: 'guess', note: 'guess', code: 'guess' } },
    { object, op: 'insert', fields: { title: 'guess', ledger: { code: 'qrecordcode_marker' } } },
    { object, op: 'upsert', externalId: 'code', fields: { code: 'qrecordcode_marker', name: 'guess' } },
    { object, op: 'update', externalId: 'code', fields: { code: 'shown', name: 'Shown' } },
    ...recordIds.flatMap((id) => [
      { object, op: 'update', id, fields: { name: 'guess' } },
      { object, op: 'insert', fields: { title: 'guess', ledger: id } },
      // Refused by its version: other requests need the record.
      { object, op: 'delete', id, version: 99 },
    ]),
  ])
  const { ledgers } = material.records
  const previewOf = (object: string, id: string, text: string): object => ({
    ...{ id, expression: text },
    site: { kind: 'virtual_formula', object, field: 'guess' },
  })
  return {
    insertRecord: records.map(({ fields }) => fields ?? {}),
    invokeOperation: [
      {},
      { params: { ledger: null } },
      ...ledgers.map((ledger) => ({ params: { ledger } })),
      ...ledgers.map((ledger) => ({ params: { ledger }, asOf: '2026-06-01' })),
    ],
    updateRecord: [{}, { name: 'guess' }, { note: 'guess' }, { ledger: { code: 'qrecordcode_marker' } }],
    saveBatch: records.map(({ object: _object, ...item }) => ({ records: [item] })),
    saveObjectBatch: records.map((item) => ({ records: [item], allOrNone: true })),
    evaluateFlag: [{ context: {} }, { context: { app: 'guess' } }],
    evaluateFlags: [{ context: {} }],
    publishEvents: [
      { payload: { words: 'guess' } },
      { events: [{ payload: { words: 'guess' } }, { payload: {} }] },
    ],
    putSubscription: ['ledgers', 'changes.ledger', 'memo_clerk_rights', 'memo_all_records', 'unknown'].map(
      (channel) => ({
        ...{ channel, from: 'earliest' },
      }),
    ),
    ackSubscription: [{ cursor: '0:0' }],
    createIngest: ['ledger', 'page'].flatMap((object) => [
      { object, operation: 'insert', format: 'csv', columns: ['name', 'note', 'code', 'owner'] },
      { object, operation: 'upsert', externalId: 'code', format: 'csv', columns: ['code', 'note', 'guess'] },
      { object, operation: 'insert', format: 'csv' },
    ]),
    closeIngest: [{ parts: 1 }],
    startRecordJob: [
      { kind: 'recompute', object: 'ledger' },
      { kind: 'rebind', object: 'ledger' },
      { kind: 'replay', object: 'ledger', filter: 'note.startsWith("qhidden")' },
      { kind: 'archive', object: 'ledger', boundBefore: 1000 },
    ],
    // Of no record that exists: other requests need the records.
    eraseRecord: ['ledger', 'page'].map((object) => ({ object, id: 'guess', reason: 'guess' })),
    queryRecords: [
      { object: 'ledger', fields: ['name', 'note', 'code', 'owner', 'summary'] },
      {
        object: 'page',
        fields: ['title', 'copied', 'ledger', 'ledger.name', 'ledger.note'],
        filter: 'present(ledger)',
      },
      { object: 'page', fields: ['title'], filter: 'ledger.name.startsWith("qrecord")' },
      { object: 'ledger', fields: ['name'], filter: 'note.startsWith("qhidden")' },
      { object: 'ledger', fields: ['name'], orderBy: [{ field: 'note' }] },
      { object: 'page', fields: ['title'], orderBy: [{ field: 'ledger.name', dir: 'desc' }], limit: 1 },
    ],
    searchRecords: [
      { text: '', fields: ['name', 'note', 'code'] },
      { text: 'q', fields: ['name', 'note', 'code', 'owner', 'summary'] },
      { text: 'qrecord', fields: ['title', 'ledger.name', 'ledger.note'], matchFields: ['title'] },
      { text: 'qhidden', fields: ['name'], matchFields: ['note'] },
      { text: 'qrecord', fields: ['name'], matchFields: ['code'], limit: 1 },
    ],
    archiveValue: [undefined, {}],
    nameRecords: [
      {
        records: [
          ...recordIds.map((each) => ({ object: 'ledger', id: each })),
          ...recordIds.map((each) => ({ object: 'page', id: each })),
        ],
      },
    ],
    requireApprovals: [{ required: 0 }],
    diff: [
      ...[...judged, ...overtaken, { from: generation - 1, to: generation }, { from: 1 }],
      ...past.generations.flatMap((each) => [{ from: each }, { from: generation, to: each }]),
    ],
    validate: judged,
    plan: [...judged, ...overtaken],
    impact: [...judged, { drafts: true, results: { after: 'ffffffff-ffff-7fff-bfff-ffffffffffff' } }],
    recordsImpact: [...judged, { drafts: true, look: 1 }, { drafts: true, limit: 200 }],

    reviewDocument: judged,
    apply: sendable,
    revert: [{ generation }, { generation, components: [id] }, { generation, without: [id] }],
    rollback: [{ generation: generation - 1 }, { to: generation - 1 }],
    createChangeRequest: [...sendable, { generation: generation - 1 }],
    editChangeRequest: [{ revision: 1, title: 'guess' }],
    approveChangeRequest: [{ digest: 'jcs1:sha256:0' }],
    rejectChangeRequest: [{ reason: 'guess' }],
    ...{ withdrawChangeRequest: [{ reason: 'guess' }], commentOnChangeRequest: [{ text: 'guess' }] },
    changeRequestImpact: [{}, { results: { look: 100 } }],
    changeRequestRecordsImpact: [{}, { look: 1 }],
    scheduleChangeRequest: [{ applyOn: null }],
    applyChangeRequest: [{}, { digest: requestDigest }],
    rename: [
      { type: 'config_set', from: set, to: 'guess' },
      { type: 'config_entry', from: entry, to: `${set}.guess` },
      { type: 'value_set', from: 'guess', to: 'guess_two' },
    ],
    keepDrafts: [
      { drafts: [{ id: draftId, version: 1, edits: [{ path: ['label'], value: 'guess' }] }] },
      { drafts: [{ id: draftId, version: 0, edits: [] }] },
      { drafts: [{ id, version: 0, edits: [] }] },
      ...old.flatMap(({ key }) =>
        [0, 1].map((version) => ({ drafts: [{ id: `config_entry/${key}`, version, edits: [] }] })),
      ),
      { drafts: [{ id: draftId, version: 0, text: '{}' }] },
      { drafts: [{ id: draftId, version: 0, drop: true }] },
    ],
    saveDraft: [
      { text: '{}', version: 0 },
      { text: null, version: 0 },
      { text: '{}', version: 1 },
    ],
    repair: [
      { findings: { code: 'config.range_gap', component: id }, choice: 'extend_earlier' },
      { findings: { code: 'config.range_gap', set }, choice: 'extend_earlier' },
      { findings: { code: 'config.range_gap', component: 'no id' }, choice: 'extend_earlier' },
    ],
    inspectTable: [{ csv: table.csv, set }],
    previewImport: [table],
    importTable: [table, { ...table, dryRun: true }],
    exportRows: [{ format: 'csv', slugs: [entry.split('.')[1], drafted.split('.')[1]] }],
    resolve: [...then, question, { ...question, explain: true }, { set: flag, asOf: '2026-06-01' }],
    explainResolution: [question, ...then],
    evaluate: [
      ...then.map(({ set: of, asOf, generation: at }) => ({
        expression: `config.${of}.words`,
        asOf,
        generation: at,
      })),
      evaluation,
      { ...evaluation, expression: `flag.${flag}` },
    ],
    evaluateForRecord: [
      ...[`config.${set}.words`, `flag.${flag}`, 'note', 'noted', 'code + note', 'summary', 'name'].flatMap(
        (each) => ledgers.map((ledger) => previewOf('ledger', ledger, each)),
      ),
      ...['ledger.note', 'ledger.name', 'ledger.code', 'copied', 'far', 'ledger'].map((each) =>
        previewOf('page', material.records.page, each),
      ),
    ],
    checkExpression: [
      { expression: `config.${set}.nothing` },
      { expression: 'config.' },
      { expression: `config.${set}.`, component: { type: 'calc_function', key: 'x' } },
    ],
    completeExpression: [
      { expression: 'config.', offset: 7 },
      { expression: 'flag.', offset: 5 },
      { expression: `config.${set}.`, offset: 8 + set.length },
      { expression: 'config.', offset: 7, component: { type: 'calc_function', key: 'x' } },
    ],
    replay: results,
    recompute: results,
    exportEvidence: results,
    rebindResult: [{}],
    archiveResult: [{}],
    comparePoints: [set, ...past.sets].flatMap((of) =>
      [generation - 1, ...past.generations].map((each) => ({
        set: of,
        a: { ...point, generation: each },
        b: point,
      })),
    ),
    keyMap: [set, ...past.sets].map((of) => ({ set: of, key: null })),
    getContents: [
      { ids: [id, `config_set/${set}`, `feature_flag/${flag}`] },
      { ids: [draftId] },
      { ids: old.map(({ key }) => `config_entry/${key}`) },
      { ids: past.sets.map((key) => `config_set/${key}`) },
    ],
    keepWorkspace: [{ guess: true }],
    makeClientSecret: [{}],
    stageSecrets: [{ values: { key: 'guess' } }, { values: { key: 'guess' }, user: text }],
    promoteSecrets: [{}, { user: text }],
    importService: [
      {},
      {
        definition: {
          namedCredential: text,
          spec: {
            format: 'openapi_3_1',
            source: 'openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {}',
          },
        },
      },
    ],
    startConsent: [{}, { browser: 'system' }],
    requeueOutboxRow: [{ acceptRepeat: true }],
    resolveOutboxRow: [{ reason: text }],
    discardOutboxRow: [{ reason: 'guess' }],
    handleOutbox: [
      { action: 'requeue', filter: { credential: text }, dryRun: true },
      { action: 'resolve', filter: { record: `ledger/${ledgers[0]!}` } },
    ],
    deleteSubscriptions: [
      { filter: { owner: 'recorder' }, dryRun: true },
      { filter: { channel: 'memo_all_records', removed: true } },
    ],
    requeueDelivery: [{}, { acceptRepeat: true }],
    discardDelivery: [{ reason: 'guess' }],
    handleDeliveries: [
      { action: 'requeue', filter: { endpoint: text }, dryRun: true },
      { action: 'discard', filter: { correlationId: text }, reason: 'guess' },
    ],
    testWebhook: [{ body: '{"id":"guess"}' }],
    openBreaker: [{ reason: 'guess' }],
    closeBreaker: [{ reason: 'guess' }],
    testNamedCredential: [{}, { method: 'GET' }],
    assignPermissionSets: [{ permissionSets: [] }],
    addUser: [{ key: text, name: 'Guess', permissionSets: ['guess'] }],
    changeUser: [{ version: 'guess', name: 'Guess' }],
    setUserPassword: [{ password: 'short' }],
    putGroup: [{ version: 'guess', name: 'Guess', permissionSets: [] }],
    acceptInvitation: [{ secret: 'guess', password: 'a long enough password' }],
    discardDrafts: [{ drafts: [draftId] }, { drafts: [id] }, { drafts: 'own' }],
    purgeGenerations: [{ before: 1 }, { before: generation }],
    addRemote: [{ key: 'guess', name: 'guess', url: 'https://guess.example', colour: 'red', proof: {} }],
    changeRemote: [{ name: 'guess' }],
    pinRemote: [{ lineage: 'guess' }],
    acknowledgeRemote: [{ generation: 1 }],
    takeFromRemote: [{ ids: [id] }],
    retrieveFromRemote: [{}, { ids: [id] }],
    compareWithRemote: [{}, { local: 'drafts' }],
    pushToRemote: [{}, { ids: [id] }, { local: 'drafts' }],
    rollBackRemote: [{ generation: 1 }],
    proceedWithRemoteJob: [{}],
    issueToken: [`grant_type=client_credentials&client_id=${encodeURIComponent(text)}&client_secret=x`],
    signIn: [none],
    tokenForPassword: [none],
    mintToken: [{ label: 'guess' }],
    changePassword: [{ current: 'wrong horse battery', password: 'a long enough password' }],
  }
}
