import { expect, it } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

it('runs a few at a time, queues some, and refuses the rest', async () => {
  const bounded = new ConcurrencyLimiter(2, 1)
  const ends: (() => void)[] = []
  let running = 0
  const work = () =>
    bounded.run(async () => {
      running += 1
      await new Promise<void>((resolve) => ends.push(resolve))
      running -= 1
    })
  const all = [work(), work(), work()]
  await expect(work()).rejects.toMatchObject({ code: 'auth.throttled' })
  expect(running).toBe(2)
  ends.shift()!()
  await all[0]
  await Promise.resolve()
  expect(running).toBe(2)
  for (const end of ends) end()
  await all[1]
  ends.at(-1)!()
  await Promise.all(all)
  expect(running).toBe(0)
})
