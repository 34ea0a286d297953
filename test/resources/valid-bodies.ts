// A body for every route that takes one, which reaches the handler and makes it do the most: what a schema cannot say.
// A route that is not here fails the suite.
import { entryOf, tariff } from '../bench/support/tariff.ts'
import { largeOrgTerms, largeSet } from './large-org.ts'
import type { OrgNames } from './worst-queries.ts'

type Bodies = (names: OrgNames) => Record<string, unknown>

const expression = `config.${largeSet}("key_000000").rate + 1`
const question = { set: largeSet, key: 'key_000001', asOf: '2026-01-01' }
const password = 'x'.repeat(1000)
const rationale = 'Measured.'
const csv = `key;from;rate\n${Array.from({ length: 20_000 }, (_, at) => `new_${at};2026-01-01;1.5`).join('\n')}`
const table = { set: largeSet, csv, map: { key: 'key', effectiveFrom: 'from', values: { rate: 'rate' } } }

/** Every tenth entry with a different value. */
function changedEntries(): unknown[] {
  return tariff(largeOrgTerms.keys, largeOrgTerms.ranges, false)
    .filter((_, at) => at % 10 === 0)
    .flatMap(({ key, rows }) =>
      rows.map((row) => {
        const entry = entryOf(largeSet, key, row) as { body: { values: object } }
        return { ...entry, body: { ...entry.body, values: { rate: '7.77', currency: 'EUR' } } }
      }),
    )
}

export const validBodies: Bodies = ({ generation, result, request: _request }) => {
  const list = { components: changedEntries() }
  const entryIds = (list.components as { key: string }[]).map(({ key }) => `config_entry/${key}`)
  return {
    getContents: { ids: entryIds.slice(0, 1000) },
    diff: { ...list, prune: true },
    validate: list,
    plan: { ...list, prune: true },
    impact: list,
    changeRequestImpact: {},
    reviewDocument: list,
    apply: { drafts: true, base: generation, rationale },
    rollback: { generation: generation - 1, base: generation, rationale },
    revert: { generation, base: generation, rationale, components: entryIds },
    createChangeRequest: { ...list, rationale, base: generation },
    editChangeRequest: { ...list, rationale, revision: 1 },
    approveChangeRequest: { digest: 'jcs1:sha256:00' },
    rejectChangeRequest: { reason: 'x'.repeat(10_000) },
    withdrawChangeRequest: { reason: 'x'.repeat(10_000) },
    commentOnChangeRequest: { text: 'x'.repeat(10_000) },
    scheduleChangeRequest: { applyOn: '2030-01-01' },
    applyChangeRequest: {},
    requireApprovals: { required: 0 },
    rename: { type: 'config_set', from: largeSet, to: 'tariff_renamed' },
    keepDrafts: { drafts: entryIds.slice(0, 5000).map((id) => ({ id, version: 0, text: '{' })) },
    saveDraft: { text: `{"a":"${'x'.repeat(1_000_000)}"}`, version: 0 },
    repair: {
      findings: { code: 'config.gap', set: largeSet, key: 'key_000000', day: '1998-05-19' },
      choice: 'set_value',
      value: '1',
    },
    inspectTable: { csv, set: largeSet },
    previewImport: table,
    importTable: { ...table, dryRun: true },
    exportRows: { format: 'csv', slugs: entryIds.map((id) => id.slice(`config_entry/${largeSet}.`.length)) },
    resolve: { ...question, explain: true },
    evaluate: { expression },
    checkExpression: { expression },
    completeExpression: { expression, offset: 7 },
    replay: { resultId: result },
    recompute: { resultId: result },
    explainResolution: question,
    comparePoints: {
      set: largeSet,
      a: { generation, asOf: '2026-01-01' },
      b: { generation: generation - 1, asOf: '2000-01-01' },
    },
    keyMap: { set: largeSet, key: 'key_000000' },
    exportEvidence: { resultId: result },
    keepWorkspace: { open: [], views: [] },
    assignPermissionSets: { permissionSets: ['tax_reader'] },
    addUser: { key: 'measured', name: 'Measured', permissionSets: ['tax_reader'] },
    changeUser: { version: 'seen', name: 'Measured' },
    setUserPassword: { password },
    putGroup: { version: 'seen', name: 'Measured', permissionSets: ['tax_reader'] },
    acceptInvitation: { secret: 'guess', password },
    discardDrafts: { drafts: entryIds.slice(0, 50) },
    purgeGenerations: { before: 2 },
    addRemote: {
      ...{ key: 'far', name: 'Far', url: 'http://127.0.0.1:1', colour: 'grey' },
      proof: { kind: 'client', client: 'x', secret: 'y' },
    },
    changeRemote: { name: 'Far' },
    pinRemote: { lineage: 'x' },
    acknowledgeRemote: { generation: 1 },
    takeFromRemote: { ids: entryIds },
    pushToRemote: { ids: entryIds },
    rollBackRemote: { generation: 1 },
    proceedWithRemoteJob: {},
    issueToken: 'grant_type=client_credentials&client_id=x&client_secret=y',
    signIn: { user: 'admin', password },
    tokenForPassword: { user: 'admin', password },
    mintToken: { label: 'Measured' },
    changePassword: { current: password, password },
  }
}
