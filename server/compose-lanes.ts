// Wires the lanes: pools of workers, each with a separate connection, and their calls to the readers' thread.
import { setImmediate } from 'node:timers/promises'
import type { ApplyRequest } from './pipeline/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { sentError, type SentError } from './compose-worker-calls.ts'
import { workerPool, type Asked, type WorkerPool } from './compose-worker-pool.ts'
import type { LaneAnswer, LaneCall, Lanes, News } from './http/index.ts'

/** What is sent to a worker of a lane. */
export type LaneRequest = { kind: 'route'; call: LaneCall } | { kind: 'problems'; actor: string }

export interface LaneTerms {
  dir: string
  version: string
  checkReplies: boolean
}

/** The options that a worker is started with. */
export interface LaneWorkerTerms extends LaneTerms {
  lane: 'quick' | 'long'
}

/** The calls of workers to the readers' thread. */
export interface LaneHost {
  /** Resolves once the worker may write; `onEnd` receives the function that ends its turn. */
  turn(onEnd: (ended: () => void) => void): Promise<void>
  news(this: void, news: News): void
  observeApply(ms: number): void
  /** Of the org with its drafts, as cached for readers. */
  problems(actor: string): Promise<Finding[]>
  /** Resolves once readers have what a worker wrote. */
  follow(): Promise<void>
}

export interface OpenLanes extends Lanes {
  problems(actor: string): Promise<Finding[]>
  close(): Promise<void>
}

/** Most changes and findings in one response; `cut` passes it to the pipeline. */
export const mostInAnswer = 1000

export function cut<R extends Pick<ApplyRequest, 'most'>>(request: R): R {
  return { ...request, most: Math.min(request.most ?? mostInAnswer, mostInAnswer) }
}

const minute = 60_000

export function openLanes(terms: LaneTerms, host: LaneHost): OpenLanes {
  const asked: Asked = async ({ name, data }, onEnd) => {
    if (name === 'turn') return host.turn(onEnd)
    if (name === 'news') return inTurns(data as News[], host.news)
    if (name === 'observeApply') return host.observeApply(data as number)
    if (name === 'problems') return sentFindings(host.problems(data as string))
    throw new Error(`A worker called "${name}", which does not exist.`)
  }
  const pool = (lane: LaneWorkerTerms['lane'], maxOldGenerationSizeMb: number): WorkerPool =>
    workerPool(
      {
        file: new URL('./compose-lane-worker.ts', import.meta.url),
        workerData: { ...terms, lane } satisfies LaneWorkerTerms,
        size: 2,
        perCaller: 1,
        waiting: 100,
        // A large list makes many short-lived objects; a small nursery keeps the process small.
        resourceLimits: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb },
        idleMs: minute,
      },
      asked,
    )
  const pools = { quick: pool('quick', 256), long: pool('long', 1024) }
  pools.quick.warm()
  return {
    run: async (call, { lane, deadlineMs }, effect) => {
      const { blocks, asking } = call
      const transfer = (blocks ?? []).map(({ buffer }) => buffer as ArrayBuffer)
      const answer = await pools[lane === 'quick' ? 'quick' : 'long'].call<LaneAnswer>({
        caller: asking.identity.client ?? asking.by.actor,
        request: { kind: 'route', call } satisfies LaneRequest,
        transfer,
        deadlineMs,
      })
      if (effect === 'writes') await host.follow()
      return answer
    },
    problems: (actor) =>
      pools.long.call<Finding[]>({
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
export type SentFindings = { findings: Finding[] } | { error: SentError }

function sentFindings(findings: Promise<Finding[]>): Promise<SentFindings> {
  return findings.then(
    (found) => ({ findings: found }),
    (error: unknown) => ({ error: sentError(error) }),
  )
}

const newsInTurn = 100

/** A few at a time, so that readers run between them. */
async function inTurns<T>(items: readonly T[], take: (item: T) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % newsInTurn === newsInTurn - 1) await setImmediate()
    take(item)
  }
}
