// Records of an org in a folder.
import type { Actor, EffectiveAccess } from '../access/index.ts'
import type { Engines } from '../compose/engines.ts'
import type { Org } from '../pipeline/index.ts'
import type { CallerOf } from '../records/index.ts'
import { problemOf } from '../http/problem.ts'
import { archivesAtOnce, isEnded, savedItem, savedRows, type RecordsApi } from './records-api.ts'

interface LocalRecordsParts {
  org: Org
  engines(): Engines
  access(): EffectiveAccess
  by: Actor
  /** Runs the jobs that a write has left to their end. */
  finishJobs(): Promise<void>
}

/** Reads and saves as the user of the command: the operator of a folder has no rights on records of their own. */
export function localRecords({ org, engines, access, by, finishJobs }: LocalRecordsParts): RecordsApi {
  const { actor, correlationId } = by
  const scopePath = { environment: org.facts().environment }
  const caller = (): CallerOf => ({
    access: access(),
    generation: org.activeGeneration(),
    scopePath,
    correlationId,
  })
  return {
    get: async (object, id, fields) => engines().records.get(caller(), object, id, fields),
    query: async (request) => {
      const { warnings, ...found } = await engines().records.query(caller(), request)
      return warnings === undefined
        ? found
        : { ...found, warnings: warnings.map((each) => problemOf(each, correlationId)) }
    },
    describe: async (object) => engines().records.describe(caller(), object),
    save: async (object, items) => {
      const { results } = await engines().records.save({
        ...{ generation: org.activeGeneration(), user: actor, correlationId, scopePath },
        items: items.map((item) => ({ ...item, object })),
        ...{ allOrNone: false, reply: 'ids' },
      })
      return results.map(savedItem)
    },
    saveRows: (object, rows) =>
      savedRows(rows, async ({ id, version, fields }) => {
        const { rows: source } = engines().records
        const saved =
          id === undefined
            ? await source.insert(caller(), { object, fields })
            : await source.update(caller(), { object, id, version, fields })
        return saved.id
      }),
    evidence: async (object, id, field) =>
      engines().evaluation.recordEvidence(by, await engines().records.prove(caller(), object, id, field)),
    archive: (object, id, field) => engines().records.archive(caller(), by, { object, id, field }),
    archives: (cursor) => engines().records.archives.list(caller(), { limit: archivesAtOnce, cursor }),
    archivedEvidence: (archive) => engines().records.archives.evidence(caller(), archive),
    removeArchive: (archive) => engines().records.archives.remove(caller(), by, archive),
    erase: async (request) => {
      const erasure = await engines().records.erase(caller(), by, request)
      if (erasure.continues) await finishJobs()
      return { ...erasure, continues: false }
    },
    runJob: async (request, onProgress) => {
      const { records } = engines()
      let job = await records.createJob(caller(), by, request)
      while (!isEnded(job)) {
        job = await records.stepJob(caller(), job.id)
        onProgress(job)
      }
      return job
    },
  }
}
