// Wires the lanes: pools of workers, each with a separate connection, and their calls to the readers' thread.
import { setImmediate } from 'node:timers/promises'
import { serializeError, type SerializedError } from '#kernel/errors/serialized-error.ts'
import type { RemoteRequest, RemoteResponse } from '../virtual/index.ts'
import type { CallSource, SourceTarget } from './remote-sources.ts'
import type { Threads } from './threads.ts'
import { workerPool, type AskHandler, type WorkerPool } from './worker-pool.ts'
import type { ServiceImports } from '../pipeline/index.ts'
import type { ImportRunner } from '../service-import/index.ts'
import type { LaneReply, LaneCall, Lanes, SharedFindings, StudioEvent } from '../http/index.ts'
import { youngMb } from '../system/index.ts'

/** What is sent to a worker of a lane. */
export type LaneRequest = { kind: 'route'; call: LaneCall } | { kind: 'problems'; actor: string }

export interface LaneOptions {
  dir: string
  version: string
  checkReplies: boolean
}

/** What a worker opens. */
export interface LaneWorkerData extends LaneOptions {
  lane: 'quick' | 'long'
}

/** The calls of workers to the readers' thread. */
export interface LaneHost {
  /** Resolves once the worker may write; `onEnd` receives the function that ends its turn. */
  acquireWriteAccess(onEnd: (ended: () => void) => void): Promise<void>
  studioEvent(this: void, event: StudioEvent): void
  observeApply(ms: number): void
  /** Findings of the org with its drafts, as cached for readers. */
  problems(actor: string): Promise<SharedFindings>
  importServices: ImportRunner
  /** The secrets and the limits of calls are here. */
  callSource: CallSource
  /** Resolves once readers have what a worker wrote. */
  refresh(): Promise<void>
}

export interface LanePools extends Lanes {
  /** Starts a worker ahead of the first request that needs one. */
  warm(): void
  problems(actor: string): Promise<SharedFindings>
  close(): Promise<void>
}

const minute = 60_000

export function openLanes(threads: Threads, terms: LaneOptions, host: LaneHost): LanePools {
  const handleAsk: AskHandler = async ({ name, data }, onEnd) => {
    if (name === 'turn') return host.acquireWriteAccess(onEnd)
    if (name === 'studio_events') return inTurns(data as StudioEvent[], host.studioEvent)
    if (name === 'observeApply') return host.observeApply(data as number)
    if (name === 'import') return toImportReply(host.importServices(...(data as Parameters<ImportRunner>)))
    if (name === 'problems') return toFindingsReply(host.problems(data as string))
    if (name === 'source') return toSourceReply(data as SourceAsk, host.callSource)
    throw new Error(`A worker called "${name}", which does not exist.`)
  }
  const pool = (lane: LaneWorkerData['lane'], maxOldGenerationSizeMb: number): WorkerPool =>
    workerPool(
      {
        threads,
        thread: {
          file: new URL('./lane-worker.ts', import.meta.url),
          data: { ...terms, lane } satisfies LaneWorkerData,
          // A large list makes many short-lived objects; a small nursery keeps the process small.
          resourceLimits: { maxYoungGenerationSizeMb: youngMb.small, maxOldGenerationSizeMb },
        },
        size: 2,
        perCaller: 1,
        maxWaitingPerCaller: 100,
        idleMs: minute,
      },
      handleAsk,
    )
  const pools = { quick: pool('quick', 256), long: pool('long', 1024) }
  return {
    warm: () => pools.quick.warm(),
    run: async (call, { lane, deadlineMs, deadlineError }, effect) => {
      const { blocks, context } = call
      const transfer = (blocks ?? []).map(({ buffer }) => buffer as ArrayBuffer)
      const answer = await pools[lane === 'quick' ? 'quick' : 'long'].call<LaneReply>({
        caller: context.identity.client ?? context.by.actor,
        request: { kind: 'route', call } satisfies LaneRequest,
        transfer,
        deadlineMs,
        deadlineError,
      })
      if (effect === 'writes') await host.refresh()
      return answer
    },
    problems: (actor) =>
      pools.long.call<SharedFindings>({
        caller: `problems of ${actor}`,
        request: { kind: 'problems', actor } satisfies LaneRequest,
        transfer: [],
        deadlineMs: minute,
      }),
    close: async () => {
      await Promise.all([pools.quick.close(), pools.long.close()])
    },
  }
}

/** Findings, or the error that prevented them: a worker continues after a failure. */
export type FindingsReply = { shared: SharedFindings } | { error: SerializedError }

/** The same for imports. */
export type LaneImportReply = { imports: ServiceImports } | { error: SerializedError }

function toImportReply(imports: Promise<ServiceImports>): Promise<LaneImportReply> {
  return imports.then(
    (found) => ({ imports: found }),
    (error: unknown) => ({ error: serializeError(error) }),
  )
}

function toFindingsReply(findings: Promise<SharedFindings>): Promise<FindingsReply> {
  return findings.then(
    (shared) => ({ shared }),
    (error: unknown) => ({ error: serializeError(error) }),
  )
}

/** A call to a source of virtual objects. */
export interface SourceAsk {
  target: SourceTarget
  request: RemoteRequest
}

export type SourceReply = { response: RemoteResponse } | { error: SerializedError }

function toSourceReply({ target, request }: SourceAsk, call: CallSource): Promise<SourceReply> {
  return call(target, request, AbortSignal.timeout(target.withinMs)).then(
    (response) => ({ response }),
    (error: unknown) => ({ error: serializeError(error) }),
  )
}

const eventsInTurn = 100

/** A few at a time, so that readers run between them. */
async function inTurns<T>(items: readonly T[], take: (item: T) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % eventsInTurn === eventsInTurn - 1) await setImmediate()
    take(item)
  }
}
