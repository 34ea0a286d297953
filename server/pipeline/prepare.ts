// Checks a change list before a write: the checking stages over one read (docs/architecture.md).
import type { OrgReader } from '../ports/org-store.ts'
import type { PipelineDeps } from './deps.ts'
import type { PipelineCache } from './pipeline-cache.ts'
import type { ApplyRequest } from './request.ts'
import { checkStages, runStages, type After, type StageInput } from './stages/index.ts'

/** What only the stages use: a reader ends with its transaction, and the rest would waste memory. */
type Transient = 'reader' | 'deps' | 'cache' | 'partition' | 'baseDigests'

type CheckResult = After<typeof checkStages, StageInput>

export type PreparedChanges = Omit<CheckResult, Transient>

export interface PrepareOptions {
  /** Skips access checks. */
  trusted?: boolean
}

/** @throws AlmanacError of the source, conflict.stale_generation, generation.not_found, user.not_found */
export function prepareChanges(
  deps: PipelineDeps,
  reader: OrgReader,
  cache: PipelineCache,
  request: ApplyRequest,
  { trusted = false }: PrepareOptions = {},
): PreparedChanges {
  const input: StageInput = { deps, reader, cache, request, trusted }
  return withoutTransient(runStages(checkStages, input, deps.faultHook))
}

function withoutTransient(checked: CheckResult): PreparedChanges {
  const {
    reader: _reader,
    deps: _deps,
    cache: _cache,
    partition: _partition,
    baseDigests: _digests,
    ...prepared
  } = checked
  return prepared
}
