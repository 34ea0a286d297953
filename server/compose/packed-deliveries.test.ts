import { expect, it } from 'vitest'
import type { Delivery, NewDelivery } from '../ports/deliveries.ts'
import { packDeliveries, unpackDeliveries } from './packed-deliveries.ts'

const delivery = (id: string, body: number[]): NewDelivery => ({
  delivery: {
    id,
    senderId: null,
    steps: [{ step: 'signature', isPassed: true, detail: 'ü "' }],
  } as Delivery & object,
  body: Uint8Array.from(body),
  ...{ keys: [`${id} key`], keptUntil: '2026-01-01T00:00:00.000Z' },
})

it('keeps each delivery with its own body', () => {
  const list = [delivery('a', [1, 2, 3]), delivery('b', []), delivery('c', [255, 0])]
  expect(unpackDeliveries(structuredClone(packDeliveries(list)))).toEqual(list)
})
