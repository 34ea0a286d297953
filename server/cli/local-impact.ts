// The impact of a change list on an org in a folder.
import { openDeps } from '../compose/open-org.ts'
import { createLongReads } from '../compose/long-reads.ts'
import type { Engines } from '../compose/engines.ts'
import type { OpenedRecords } from '../compose/open-records.ts'
import type { LongReads } from '../http/index.ts'
import { MoveMemory } from '../impact/index.ts'
import type { ApplyRequest } from '../pipeline/index.ts'
import type { ChangeListInput, OrgApi } from './org-api.ts'

interface LocalImpactParts {
  dir: string
  records: OpenedRecords
  engines(): Engines
  request(list: ChangeListInput): ApplyRequest
}

/** A command waits for all keys, but names at most this many stored results at once. */
const most = { keys: 1_000_000, results: 50_000 }
/** Records of each field that are named. */
const named = 20

export function localImpact({
  dir,
  records,
  engines,
  request,
}: LocalImpactParts): Pick<OrgApi, 'impact' | 'recordsImpact'> {
  const moves = new MoveMemory()
  const run = async <T>(work: (reads: LongReads) => Promise<T>): Promise<T> => {
    const deps = openDeps(dir)
    try {
      return await work(createLongReads(deps, { records, cursorKey: engines().cursorKey, moves }))
    } finally {
      deps.store.close()
    }
  }
  return {
    impact: (list, items) =>
      run((reads) =>
        reads.impact({
          list: request(list),
          keys: { from: 0, count: most.keys },
          results: { look: most.results },
          most: items,
        }),
      ),
    recordsImpact: (list, after) =>
      run((reads) =>
        reads.recordsImpact({
          ...{ list: request(list), look: 100_000, lookMs: 1500, most: named },
          scopePath: { environment: engines().org.facts().environment },
          ...(after === undefined ? {} : { after }),
        }),
      ),
  }
}
