// Requests for each operation on the configuration of the sample org, in an order in which they succeed.
import type { ApiDocument } from './api-document.ts'

interface Draft {
  version: number
}
interface ChangeRequest {
  id: string
  digest: string
  revision: number
}

const rate = (slug: string, value: string) => ({
  ...{ type: 'config_entry', key: `vat_rate.${slug}`, label: `Rate ${slug}` },
  body: {
    ...{ set: 'vat_rate', key: slug.toUpperCase(), scope: { kind: 'org' }, effectiveFrom: '2021-01-01' },
    values: { rate: value, currency: 'EUR' },
  },
})
const valueSet = (key: string, label = key): object => ({
  ...{ type: 'value_set', key, label },
  body: { values: [{ key: 'one', label: 'One' }] },
})
const vatRate = { type: 'config_set', key: 'vat_rate' }

export async function readConfiguration(api: ApiDocument): Promise<void> {
  for (const operation of [
    ...['health', 'readiness', 'metrics', 'migrationGuide', 'describeSurface', 'typeDeclarations'],
    'getOAuthMetadata',
    ...['describeOrg', 'getHome', 'listRooms', 'listPrincipals', 'listFlags', 'listApps', 'listProblems'],
    ...['listComponents', 'countComponents', 'listGenerations', 'retrieve', 'listAudit', 'followEvents'],
  ])
    await api.send(operation)
  await api.send('getApp', { path: { app: 'billing' } })
  await api.send('search', { query: { q: 'vat' } })
  await api.send('exportAudit', { query: { format: 'jsonl' } })
  await api.send('exportAudit')
  const entry = { type: 'config_entry', key: 'vat_rate.de_2020_07_01' }
  await api.send('getComponent', { path: entry })
  await api.send('componentHistory', { path: entry })
  await api.send('whereUsed', { path: vatRate })
  await api.send('whereUsed', { path: { type: 'value_set', key: 'currency' } })
  await api.send('countBoundResults', { path: vatRate })
  await api.send('keyHistory', { path: { set: 'vat_rate' }, query: { key: 'DE' } })
  for (const operation of ['listEntryColumns', 'listEntryLabels', 'listEntryDrafts'])
    await repeat(api, operation, { path: vatRate })
  await api.send('getGeneration', { path: { generation: 2 } })
  await api.send('listDigests', { path: { generation: 2 } })
  const ids = ['config_set/vat_rate', 'config_entry/vat_rate.de_2020_07_01']
  await api.send('getContents', { path: { generation: 2 }, body: { ids } })
  for (const format of ['csv', 'xlsx', 'json'])
    await api.send('exportSet', { path: { set: 'vat_rate' }, query: { format } })
  await api.send('exportRows', {
    path: { set: 'vat_rate' },
    body: { format: 'csv', slugs: ['de_2020_07_01'] },
  })
}

/** Sends a request twice: the second time with the ETag of the first response. */
export async function repeat(api: ApiDocument, operation: string, request: object): Promise<void> {
  const { headers } = await api.send(operation, request)
  const tag = headers.get('ETag') ?? ''
  const { status } = await api.send(operation, { ...request, headers: { 'If-None-Match': tag } })
  if (status !== 304) api.problems.push(`${operation}: ${status} to a current ETag`)
}

export async function changeConfiguration(api: ApiDocument): Promise<void> {
  const change = { components: [rate('zz', '0.1'), valueSet('colours')], rationale: 'test' }
  for (const operation of ['diff', 'validate', 'plan', 'impact', 'recordsImpact', 'reviewDocument'])
    await api.send(operation, { body: change })
  await api.send('apply', { body: change })
  await api.send('rename', { body: { type: 'value_set', from: 'colours', to: 'hues' } })
  await api.send('diff', { body: { from: 3, to: 4 } })
  await api.send('revert', {
    body: { generation: 4, components: ['config_entry/vat_rate.zz'], rationale: 'test' },
  })
  await api.send('rollback', { body: { generation: 3, rationale: 'test' } })
  await api.send('apply', { body: change })
}

export async function writeDrafts(api: ApiDocument): Promise<void> {
  const path = { type: 'value_set', key: 'moods' }
  const { body } = await api.send<Draft>('saveDraft', {
    path,
    body: { text: JSON.stringify(valueSet('moods')), version: 0 },
  })
  const edit = { path: ['label'], value: 'Moods' }
  await api.send('keepDrafts', {
    body: { drafts: [{ id: 'value_set/moods', version: body.version, edits: [edit] }] },
  })
  await api.send('listDrafts')
  await api.send('nameDrafts')
  await api.send('listEntryDrafts', { path: vatRate })
  const discarded = await api.send<{ id: string }>('discardDrafts', { body: { drafts: 'own' } })
  await api.send('lastDiscardedDrafts')
  await api.send('restoreDiscardedDrafts', { path: { id: discarded.body.id } })
  await api.send('discardDraft', { path })
  await api.send('saveDraft', { path, body: { text: JSON.stringify(valueSet('moods')), version: 0 } })
  const again = await api.send<{ id: string }>('discardDrafts', { body: { drafts: ['value_set/moods'] } })
  await api.send('forgetDiscardedDrafts', { path: { id: again.body.id } })
}

export async function importTables(api: ApiDocument): Promise<void> {
  const csv = 'territory,from,rate,currency\nYY,2021-01-01,0.15,EUR\n'
  const inspected = await api.send<{ map: object }>('inspectTable', { body: { csv, set: 'vat_rate' } })
  const body = { csv, set: 'vat_rate', map: inspected.body.map }
  await api.send('previewImport', { body })
  await api.send('importTable', { body })
  // Without the rate of a later day, the set has no value on that day.
  const path = { type: 'config_entry', key: 'vat_rate.yy_2021_01_01' }
  const ended = { ...rate('yy_2021_01_01', '0.15'), label: 'Ended' }
  const text = JSON.stringify({ ...ended, body: { ...ended.body, key: 'YY', effectiveTo: '2030-01-01' } })
  await api.send('saveDraft', { path, body: { text, version: 1 } })
  await api.send('listProblems')
  await api.send('repair', {
    body: {
      findings: { code: 'config.range_end', set: 'vat_rate', key: 'YY' },
      ...{ choice: 'set_value', value: { rate: '0.16', currency: 'EUR' } },
    },
  })
  await api.send('impact', { body: { drafts: true } })
  await api.send('discardDrafts', { body: { drafts: 'own' } })
}

export async function evaluateAndStore(api: ApiDocument): Promise<void> {
  const day = '2026-06-01'
  const question = { set: 'vat_rate', key: 'DE', asOf: day }
  await api.send('resolve', { body: question })
  await api.send('explainResolution', { body: question })
  await api.send('comparePoints', {
    body: { set: 'vat_rate', a: { generation: 2, asOf: day }, b: { generation: 3, asOf: day } },
  })
  await api.send('keyMap', { body: { set: 'vat_rate', key: 'DE' } })
  await api.send('checkExpression', { body: { expression: 'config.vat_rate("DE").rate' } })
  await api.send('completeExpression', { body: { expression: 'config.', offset: 7 } })
  const { body } = await api.send<{ resultId: string }>('evaluate', {
    body: { expression: 'config.vat_rate("DE").rate', asOf: day, store: 'Rate of June' },
  })
  const result = { resultId: body.resultId }
  await api.send('listResults')
  await api.send('getResult', { path: { id: body.resultId } })
  for (const operation of ['replay', 'recompute', 'exportEvidence'])
    await api.send(operation, { body: result })
  for (const operation of ['rebindResult', 'archiveResult'])
    await api.send(operation, { path: { id: body.resultId } })
  await api.send('evaluateFlag', { path: { key: 'new_invoice_page' }, body: { context: { app: 'billing' } } })
  await repeat(api, 'evaluateFlags', { body: { context: {} } })
}

/** @param other the headers of a user who can approve */
export async function requestChanges(api: ApiDocument, other: Record<string, string>): Promise<void> {
  const submit = async (slug: string): Promise<ChangeRequest> =>
    (
      await api.send<ChangeRequest>('createChangeRequest', {
        body: { components: [rate(slug, '0.1')], rationale: 'test', title: 'A rate' },
      })
    ).body
  await api.send('getRequiredApprovals')
  const first = await submit('xa')
  const path = { id: first.id }
  await api.send('listChangeRequests')
  await api.send('getChangeRequest', { path })
  await api.send('changeRequestImpact', { path, body: {} })
  await api.send('changeRequestRecordsImpact', { path, body: {} })
  await api.send('commentOnChangeRequest', { path, body: { text: 'A comment' } })
  const edited = await api.send<ChangeRequest>('editChangeRequest', {
    path,
    body: { components: [rate('xa', '0.2')], rationale: 'test', revision: first.revision },
  })
  await api.send('approveChangeRequest', { path, body: { digest: edited.body.digest }, as: other })
  await api.send('scheduleChangeRequest', { path, body: { applyOn: '2999-01-01' } })
  await api.send('scheduleChangeRequest', { path, body: { applyOn: null } })
  await api.send('applyChangeRequest', { path, body: {} })
  const second = await submit('xb')
  await api.send('rejectChangeRequest', { path: { id: second.id }, body: { reason: 'No' }, as: other })
  const third = await submit('xc')
  await api.send('withdrawChangeRequest', { path: { id: third.id }, body: {} })
  await api.send('requireApprovals', { body: { required: 0 } })
}

export async function purge(api: ApiDocument): Promise<void> {
  await api.send('purgeGenerations', { body: { before: 2 } })
}
