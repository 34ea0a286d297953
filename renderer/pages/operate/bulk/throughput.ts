// How fast a bulk job goes, from what the server has reported of it within the last minute.
import type { IngestJob } from '../../../api/ingest.ts'

export interface JobReading {
  /** Milliseconds of a steady clock. */
  at: number
  rows: number
  bytes: number
}

export interface Pace {
  /** Rows a second between two readings, with the times of both in milliseconds before now; the oldest first. */
  steps: readonly { from: number; to: number; rowsPerSecond: number }[]
  /** Of the last readings. */
  rowsPerSecond: number
  bytesPerSecond: number
  /** Of all steps. */
  average: number
}

export const shownMs = 60_000
/** Readings that are closer are one: the server reports each batch. */
const leastMs = 500
/** What "now" is. */
const recentMs = 5000

export function withReading(before: readonly JobReading[], reading: JobReading): readonly JobReading[] {
  const kept = before.filter(({ at }) => reading.at - at <= shownMs)
  const last = kept.at(-1)
  const isClose = kept.length > 1 && last !== undefined && last.at - kept.at(-2)!.at < leastMs
  return [...(isClose ? kept.slice(0, -1) : kept), reading]
}

export interface JobReadings {
  /** Of the job; empty at first. */
  id: string
  /** Of the last minute, the oldest first. */
  all: readonly JobReading[]
}

/** Each time that a job was read: one that does not move is slower, too. */
export function withJob(
  before: JobReadings,
  { id, state, rowsDone: rows, bytesDone: bytes }: Pick<IngestJob, 'id' | 'state' | 'rowsDone' | 'bytesDone'>,
  at: number,
): JobReadings {
  // The time in the queue is not part of the pace.
  const all = before.id === id && state !== 'queued' ? before.all : []
  return { id, all: withReading(all, { at, rows, bytes }) }
}

/** Null until the job was read twice. @param now as in readings */
export function paceOf(readings: readonly JobReading[], now: number): Pace | null {
  const shown = readings.filter(({ at }) => now - at <= shownMs)
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined || last.at - first.at < leastMs) return null
  // Two readings within a few milliseconds would look like a peak.
  const steps = shown.slice(1).flatMap((reading, index) => {
    const before = shown[index]!
    if (reading.at - before.at < leastMs / 2) return []
    return [{ from: now - before.at, to: now - reading.at, rowsPerSecond: rowsBetween(before, reading) }]
  })
  if (steps.length === 0) return null
  const recent = shown.find(({ at }) => last.at - at <= recentMs && at < last.at) ?? first
  return {
    steps,
    rowsPerSecond: Math.round(rowsBetween(recent, last)),
    bytesPerSecond: (last.bytes - recent.bytes) / secondsBetween(recent, last),
    average: Math.round(rowsBetween(first, last)),
  }
}

const secondsBetween = (before: JobReading, after: JobReading): number => (after.at - before.at) / 1000
const rowsBetween = (before: JobReading, after: JobReading): number =>
  Math.max(0, after.rows - before.rows) / secondsBetween(before, after)
