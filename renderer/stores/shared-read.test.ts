import { expect, it } from 'vitest'
import { createSharedRead } from './shared-read.ts'

it('calls during a read share one more read after it', async () => {
  const reads: PromiseWithResolvers<void>[] = []
  const load = createSharedRead(() => {
    reads.push(Promise.withResolvers<void>())
    return reads.at(-1)!.promise
  })
  const calls = [load(), load(), load()]
  expect(reads).toHaveLength(1)
  reads[0]!.resolve()
  await expect.poll(() => reads.length).toBe(2)
  reads[1]!.resolve()
  await Promise.all(calls)
  expect(reads).toHaveLength(2)
  void load()
  expect(reads).toHaveLength(3)
})

it('after a read that failed the next call reads again', async () => {
  let reads = 0
  const load = createSharedRead(() => {
    reads++
    return reads === 1 ? Promise.reject(new Error('failed')) : Promise.resolve()
  })
  await expect(load()).rejects.toThrow('failed')
  await load()
  expect(reads).toBe(2)
})

it('a call at any step after a read is followed by a read of its own', async () => {
  for (let steps = 0; steps < 8; steps++) {
    const reads: PromiseWithResolvers<void>[] = []
    const load = createSharedRead(() => {
      reads.push(Promise.withResolvers<void>())
      return reads.at(-1)!.promise
    })
    void load()
    reads[0]!.resolve()
    for (let step = 0; step < steps; step++) await Promise.resolve()
    void load()
    await new Promise((resolve) => setTimeout(resolve))
    expect(reads, `after ${steps} steps`).toHaveLength(2)
  }
})
