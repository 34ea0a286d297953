// The worker's side: one job at a time, over a separate connection.
import { parentPort } from 'node:worker_threads'
import type { SetSlice } from '#kernel/config/index.ts'
import { openJobs } from './open-org.ts'
import { serializeSlice } from './serialized-slice.ts'
import { serveCalls, TransferredAnswer, type CallHandler } from './worker-calls.ts'
import type { JobArguments, Jobs } from './worker-runner.ts'
import type { PlanOutcome, WriteRunner } from '../pipeline/index.ts'

function open(dir: string): CallHandler {
  const jobs = openJobs(dir)
  const verbs: {
    [K in Exclude<keyof Jobs, 'close'>]: (turn: WriteRunner, ...given: JobArguments[K]) => Promise<unknown>
  } = {
    plan: async (_turn, request) => materialiseChanges(await jobs.plan(request)),
    commit: async (turn, request, kind, companion) =>
      materialiseChanges(await jobs.commit(turn, request, kind, companion)),
    submit: async (turn, request, terms) => materialiseChanges(await jobs.submit(turn, request, terms)),
    loadSlice: async (_turn, generation, set) => transferSlice(await jobs.loadSlice(generation, set)),
    buildEvidence: (_turn, result) => jobs.buildEvidence(result),
    verify: () => jobs.verify(),
  }
  return {
    answer: (verb, given, turn) =>
      (verbs[verb as keyof typeof verbs] as (...each: unknown[]) => Promise<unknown>)(
        turn,
        ...(given as unknown[]),
      ),
    close: () => jobs.close(),
  }
}

serveCalls(parentPort!, (data) => open((data as { dir: string }).dir))

/** Transfers the bytes of the rows unchanged; the recipient reads the rows that are requested. */
function transferSlice(slice: SetSlice | undefined): TransferredAnswer {
  if (slice === undefined) return new TransferredAnswer(undefined, [])
  const sent = serializeSlice(slice)
  return new TransferredAnswer(sent, [sent.bytes.buffer])
}

/** Rows are created here, because their makers cannot be sent to another thread. */
function materialiseChanges<O extends PlanOutcome>(outcome: O): O {
  return { ...outcome, changes: [...outcome.changes] }
}
