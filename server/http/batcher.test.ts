// Items that arrive together are passed on in batches, in order, and not all in one turn.
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBatcher } from './batcher.ts'

it('simultaneous items are passed on in batches, one per turn of the event loop, and more later', async () => {
  const batches: (readonly number[])[] = []
  const add = createBatcher<number>(3, (items) => batches.push(items))
  for (const item of [1, 2, 3, 4, 5]) add(item)
  expect(batches).toEqual([])
  await setImmediate()
  expect(batches).toEqual([[1, 2, 3]])
  add(6)
  await setImmediate()
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
  await setImmediate()
  add(7)
  await setImmediate()
  expect(batches.at(-1)).toEqual([7])
})

it('many simultaneous items leave turns to others', async () => {
  const busy = (): void => {
    const until = performance.now() + 2
    while (performance.now() < until);
  }
  const order: string[] = []
  for (let at = 0; at < 40; at += 1)
    createBatcher<number>(1, () => {
      busy()
      order.push('events')
    })(at)
  while (order.filter((each) => each === 'events').length < 40) {
    await setImmediate()
    order.push('others')
  }
  // 80 ms of work in turns of about 5 ms.
  expect(order.indexOf('others')).toBeLessThan(6)
  expect(order.filter((each) => each === 'others').length).toBeGreaterThan(8)
})
