import { describe, expect, it } from 'vitest'
import { paceOf, shownMs, withJob, withReading, type JobReading, type JobReadings } from './throughput.ts'

const read = (all: readonly [at: number, rows: number][]): readonly JobReading[] =>
  all.reduce<readonly JobReading[]>(
    (before, [at, rows]) => withReading(before, { at, rows, bytes: rows * 10 }),
    [],
  )

describe('the pace of a bulk job', () => {
  it('is not known until the job was read twice', () => {
    expect(paceOf([], 0)).toBeNull()
    expect(paceOf(read([[0, 10]]), 0)).toBeNull()
    expect(
      paceOf(
        read([
          [0, 10],
          [100, 20],
        ]),
        100,
      ),
    ).toBeNull()
  })

  it('is that between two readings, now and on average', () => {
    const readings = read([
      [0, 0],
      [10_000, 1000],
      [12_000, 3000],
      [14_000, 3000],
    ])
    const pace = paceOf(readings, 15_000)!
    expect(pace.steps).toEqual([
      { from: 15_000, to: 5000, rowsPerSecond: 100 },
      { from: 5000, to: 3000, rowsPerSecond: 1000 },
      { from: 3000, to: 1000, rowsPerSecond: 0 },
    ])
    expect(pace.rowsPerSecond).toBe(500)
    expect(pace.bytesPerSecond).toBe(5000)
    expect(pace.average).toBe(Math.round(3000 / 14))
  })

  it('begins when the job leaves the queue, and falls while it does not move', () => {
    let read: JobReadings = { id: '', all: [] }
    const note = (at: number, state: 'queued' | 'processing', rowsDone: number): unknown =>
      (read = withJob(read, { id: 'a', state, rowsDone, bytesDone: rowsDone * 10 }, at))
    for (const at of [0, 3000, 6000, 40_000]) note(at, 'queued', 0)
    note(41_000, 'processing', 1000)
    expect(paceOf(read.all, 41_000)).toMatchObject({ rowsPerSecond: 1000, average: 1000 })
    for (const at of [44_000, 47_000]) note(at, 'processing', 1000)
    expect(paceOf(read.all, 47_000)).toMatchObject({ rowsPerSecond: 0, bytesPerSecond: 0, average: 143 })
    // A different job begins again.
    expect(
      withJob(read, { id: 'b', state: 'processing', rowsDone: 5, bytesDone: 9 }, 50_000).all,
    ).toHaveLength(1)
  })

  it('keeps a minute, and one reading of those that are close', () => {
    const many = Array.from({ length: 1000 }, (_, at): [number, number] => [at * 100, at])
    const readings = read(many)
    expect(readings.length).toBeLessThanOrEqual(shownMs / 500 + 2)
    expect(readings.at(-1)!.at).toBe(99_900)
    expect(readings.at(-1)!.at - readings[0]!.at).toBeLessThanOrEqual(shownMs)
    const pace = paceOf(readings, 99_900)!
    expect(pace.rowsPerSecond).toBe(10)
    expect(pace.average).toBe(10)
  })
})
