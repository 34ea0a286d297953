// Past content of hidden sets, under keys that visible sets have today: one key was freed by a rename, another by a
// removal. A third set was removed and its key is free.
import { fileDefinition, type fileValue as FileValue } from './leak-files.ts'

export interface LeakPast {
  /** Generations that contained or changed it. */
  generations: number[]
  /** Keys that are visible today, with entries `<key>.all`. */
  sets: string[]
  requests: string[]
  results: string[]
}

type Send = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

export const pastMarkers = {
  set: ['qnewkey_marker', 'qrenamed_marker', 'qtorename_marker'],
  definition: ['qpastlabel_marker', 'qremadelabel_marker', 'qgonelabel_marker'],
  values: [
    ...['qpastfirst_marker', 'qpastvalue_marker', 'qpastdraft_marker', 'qpastrequested_marker'],
    ...['qpastapplied_marker', 'qpastresult_marker', 'qremadevalue_marker', 'qgonevalue_marker'],
  ],
  request: [
    ...['qpasttitle_marker', 'qpastappliedtitle_marker', 'qpastrequestrationale_marker'],
    ...['qrenametitle_marker', 'qrenamewaitingtitle_marker', 'qrenamerationale_marker'],
  ],
  generation: ['qpastrationale_marker'],
} as const

const renamed = 'swapped'
const remade = 'remade'
const gone = 'gone'

/** @param all permission sets of every user, so that the sets that have the keys today are visible to each of them */
export async function pastOf(
  ok: Send,
  all: readonly string[],
  fileValue: typeof FileValue,
): Promise<LeakPast> {
  const open = Object.fromEntries(all.map((key) => [key, 'read']))
  const generations: number[] = []
  const apply = async (list: object): Promise<void> => {
    const { generation } = await ok('POST', '/metadata/v3/apply', list)
    generations.push(Number(generation))
  }
  const request = async (words: string, title: string): Promise<string> => {
    const response = await ok('POST', '/metadata/v3/change-requests', {
      components: [fileValue(`${renamed}.all`, renamed, 'Past', words)],
      ...{ title, rationale: 'qpastrequestrationale_marker' },
    })
    return ((response['request'] ?? response) as { id: string }).id
  }
  await apply({
    components: [
      fileDefinition(renamed, 'qpastlabel_marker'),
      fileValue(`${renamed}.all`, renamed, 'Past', 'qpastfirst_marker'),
      fileDefinition(remade, 'qremadelabel_marker'),
      fileValue(`${remade}.all`, remade, 'Past', 'qremadevalue_marker'),
      fileDefinition(gone, 'qgonelabel_marker'),
      fileValue(`${gone}.all`, gone, 'Past', 'qgonevalue_marker'),
      fileDefinition('open', 'Open', open),
      fileValue('open.all', 'open', 'Open', 'open words'),
    ],
  })
  await apply({
    components: [fileValue(`${renamed}.all`, renamed, 'Past', 'qpastvalue_marker')],
    rationale: 'qpastrationale_marker',
  })
  const stored = await ok('POST', '/setup/v3/evaluate', {
    ...{ expression: `config.${renamed}.words`, asOf: '2026-06-01', store: 'qpastresult_marker' },
  })
  const applied = await request('qpastapplied_marker', 'qpastappliedtitle_marker')
  const done = await ok('POST', `/metadata/v3/change-requests/${applied}/apply`, {})
  generations.push(Number(done['generation']))
  const waiting = await request('qpastrequested_marker', 'qpasttitle_marker')
  await ok('PUT', `/setup/v3/drafts/config_entry/${renamed}.all`, {
    text: JSON.stringify(fileValue(`${renamed}.all`, renamed, 'Past', 'qpastdraft_marker')),
    version: 0,
  })
  await apply({
    components: [{ ...fileDefinition('qnewkey_marker', 'qpastlabel_marker'), renamedFrom: renamed }],
  })
  await apply({ components: [{ ...fileDefinition(renamed, 'Open', open), renamedFrom: 'open' }] })
  await apply({
    removals: [remade, gone].flatMap((key) => [`config_set/${key}`, `config_entry/${key}.all`]),
  })
  await apply({
    components: [
      fileDefinition(remade, 'Remade', open),
      fileValue(`${remade}.all`, remade, 'Remade', 'open words'),
    ],
  })
  const components = [`config_set/${gone}`, `config_entry/${gone}.all`]
  const back = await ok('POST', '/metadata/v3/change-requests', {
    ...{ revert: { generation: generations.at(-2), components }, title: 'qpasttitle_marker' },
    rationale: 'qpastrequestrationale_marker',
  })
  const rename = async (renamedFrom: string, key: string, title: string): Promise<string> => {
    const response = await ok('POST', '/metadata/v3/change-requests', {
      components: [{ ...fileDefinition(key, 'qpastlabel_marker'), renamedFrom }],
      ...{ title, rationale: 'qrenamerationale_marker' },
    })
    return (response as { id: string }).id
  }
  const renaming = await rename('qnewkey_marker', 'qrenamed_marker', 'qrenametitle_marker')
  await ok('POST', `/metadata/v3/change-requests/${renaming}/apply`, {})
  const renames = [
    renaming,
    await rename('qrenamed_marker', 'qtorename_marker', 'qrenamewaitingtitle_marker'),
  ]
  return {
    generations,
    sets: [renamed, remade, gone],
    requests: [applied, waiting, ((back['request'] ?? back) as { id: string }).id, ...renames],
    results: [String(stored['resultId'])],
  }
}
