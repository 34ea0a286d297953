import { expect, it } from 'vitest'
import type { RecordJson } from '../../../api/records.ts'
import { mergePage } from './merge-page.ts'

const record = (id: string, version: number, fields: Record<string, string> = {}): RecordJson => ({
  ...{ id, object: 'order', version, fields },
})
const free = { isOpen: false, isHeld: () => false }
const open = { isOpen: true, isHeld: (id: string) => id === 'b' }
const shown = [record('a', 1, { net: '1' }), record('b', 1, { net: '2' }), record('c', 1, { net: '3' })]

it('what others changed, added, deleted and moved is shown while no cell is open', () => {
  const found = [record('d', 1), record('c', 2, { net: '9' }), record('a', 1, { net: '1' })]
  const merged = mergePage(shown, found, free)
  expect(merged).toEqual(found)
  // A record that is the same is not drawn again.
  expect(merged[2]).toBe(shown[0])
})

it('records keep their places while a cell is open, and an edited one keeps its values', () => {
  const found = [record('d', 1), record('c', 2, { net: '9' }), record('b', 2, { net: '8' })]
  expect(mergePage(shown, found, open)).toEqual([shown[0], shown[1], found[1]])
  expect(mergePage(shown, found, { ...open, isOpen: false })).toEqual([found[0], found[1], shown[1]])
})

it('what was read before a save of this page does not replace it', () => {
  const saved = [record('a', 3, { net: '5' })]
  expect(mergePage(saved, [record('a', 2, { net: '4' })], free)).toEqual(saved)
})

it('an edited record stays although it was deleted, until it is saved or discarded', () => {
  expect(mergePage(shown, [shown[0]!, shown[2]!], { ...open, isOpen: false })).toEqual(shown)
  expect(mergePage(shown, [shown[0]!, shown[2]!], free)).toEqual([shown[0], shown[2]])
})

it('a page without a difference is the same page', () => {
  expect(mergePage(shown, structuredClone(shown), free)).toBe(shown)
})

it('an edited record gets the values of new columns', () => {
  const found = [record('b', 2, { net: '8', gross: '10' })]
  expect(mergePage([shown[1]!], found, open)).toEqual([record('b', 1, { net: '2', gross: '10' })])
})
