// What every adapter of CalloutLimits must do. Each is tested with this.
import { describe, expect, it } from 'vitest'
import type { CalloutLimits } from '../../server/ports/callout-limits.ts'
import { changeCell } from '../../server/callouts/change-cell.ts'

/** @param open two processes over one new store; they are closed by the caller */
export function calloutLimitsContract(
  name: string,
  open: () => Promise<[CalloutLimits, CalloutLimits]>,
): void {
  describe(`the limits of callouts in ${name}`, () => {
    const budget = { kind: 'budget', credential: 'billing' } as const

    it('know nothing at first', async () => {
      const [one] = await open()
      expect(await one.read(budget)).toMatchObject({ version: 0, text: null })
    })

    it('write only what nobody has changed, and show it to all', async () => {
      const [one, two] = await open()
      expect(await one.swap(budget, 0, 'a')).toBe(true)
      expect(await two.swap(budget, 0, 'b')).toBe(false)
      const { version, text } = await two.read(budget)
      expect([version > 0, text]).toEqual([true, 'a'])
      expect(await two.swap(budget, version, 'ü€😀')).toBe(true)
      expect(await one.swap(budget, version, 'c')).toBe(false)
      const last = await one.read(budget)
      expect([last.version > version, last.text]).toEqual([true, 'ü€😀'])
    })

    it('keep cells apart by kind and credential', async () => {
      const [one] = await open()
      await one.swap(budget, 0, 'a')
      await one.swap({ kind: 'breaker', credential: 'billing' }, 0, 'b')
      await one.swap({ kind: 'budget', credential: 'billing_test' }, 0, 'c')
      expect((await one.read(budget)).text).toBe('a')
      expect((await one.read({ kind: 'breaker', credential: 'billing' })).text).toBe('b')
    })

    it('let one of several win', async () => {
      const [one, two] = await open()
      const won = await Promise.all(
        [1, 2, 3, 4].flatMap((n) => [one, two].map((each) => each.swap(budget, 0, `${n}`))),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
    })

    it('lose no change', async () => {
      const [one, two] = await open()
      const add = (limits: CalloutLimits) =>
        changeCell(limits, budget, (text) => ({ text: String(Number(text ?? 0) + 1), result: undefined }))
      await Promise.all(Array.from({ length: 40 }, (_, n) => add(n % 2 === 0 ? one : two)))
      expect((await one.read(budget)).text).toBe('40')
    })

    it('have one clock that does not go back', async () => {
      const [one, two] = await open()
      const times: number[] = []
      for (let n = 0; n < 20; n += 1) times.push((await (n % 2 === 0 ? one : two).read(budget)).now)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times.every(Number.isInteger)).toBe(true)
    })

    it('hold a text of 30 KB', async () => {
      const [one, two] = await open()
      const text = JSON.stringify('x'.repeat(30_000))
      await one.swap(budget, 0, text)
      expect((await two.read(budget)).text).toBe(text)
    })
  })
}
