// Records of an org behind a server.
import { setTimeout } from 'node:timers/promises'
import type { JobView } from '../records/index.ts'
import { archivesAtOnce, isEnded, savedRows, type RecordsApi, type SavedItem } from './records-api.ts'

type Read = <T>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<T>

interface SentResult {
  id?: string
  error?: { code: string; detail: string }
}

/** Reads a response as it was sent. */
type ReadText = (method: 'GET', path: string) => Promise<string>

interface OtherReads {
  text: ReadText
  /** Reads a response as it arrives. */
  lines(path: string): Promise<AsyncIterable<string>>
  /** Sends a change of what has this ETag. */
  change<T>(path: string, body: unknown, ifMatch: string): Promise<T>
  remove(path: string): Promise<void>
}

export function remoteRecords(read: Read, { text, lines, change, remove }: OtherReads): RecordsApi {
  const at = (object: string, ...rest: string[]): string =>
    ['/data/v3', ...[object, ...rest].map(encodeURIComponent)].join('/')
  return {
    get: (object, id, fields) =>
      read(
        'GET',
        at(object, id) + (fields === undefined ? '' : `?fields=${encodeURIComponent(fields.join(','))}`),
      ),
    query: (request) => read('POST', '/data/v3/query', request),
    describe: (object) => read('GET', at(object, 'describe')),
    save: async (object, records) => {
      const { results } = await read<{ results: SentResult[] }>('POST', at(object, 'batch'), { records })
      return results.map(({ id = '', error }): SavedItem =>
        error === undefined ? { ok: true, id } : { ok: false, code: error.code, message: error.detail },
      )
    },
    saveRows: (object, rows) =>
      savedRows(rows, async ({ id, version, fields }) => {
        const saved =
          id === undefined
            ? await read<{ id: string }>('POST', at(object), fields)
            : await change<{ id: string }>(
                at(object, id),
                fields,
                version === undefined ? '*' : `"${version}"`,
              )
        return saved.id
      }),
    evidence: (object, id, field) => text('GET', at(object, id, 'values', field, 'evidence')),
    archive: (object, id, field) => read('POST', at(object, id, 'values', field, 'archive')),
    archives: (cursor) => {
      const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
      return read('GET', `/setup/v3/archives?limit=${archivesAtOnce}${after}`)
    },
    archivedEvidence: (archive) => lines(`/setup/v3/archives/${encodeURIComponent(archive)}/evidence`),
    removeArchive: (archive) => remove(`/setup/v3/archives/${encodeURIComponent(archive)}`),
    erase: (request) => read('POST', '/setup/v3/erasures', request),
    runJob: async (request, onProgress) => {
      let job = await read<JobView>('POST', '/setup/v3/jobs', request)
      for (let waitMs = 50; !isEnded(job); waitMs = Math.min(waitMs * 2, 2000)) {
        await setTimeout(waitMs)
        job = await read<JobView>('GET', `/setup/v3/jobs/${encodeURIComponent(job.id)}`)
        onProgress(job)
      }
      return job
    },
  }
}
