// What is shown under the pointer: the type of a name, and the value of its part.
import { describe, expect, it } from 'vitest'
import { hintAt, type PartValue } from './expression-hint.ts'

const text = 'net * config.duty(buyer.country).rate'
const at = (part: string): number => text.indexOf(part)
const values: PartValue[] = [
  { start: 0, end: 3, words: '100' },
  { start: 6, end: text.length, words: '0.19' },
  { start: at('buyer'), end: at(').rate'), words: 'D*E' },
]
const types: Record<string, string> = { net: 'number', duty: 'keyed by country', country: 'text' }
const complete = async (offset: number) => {
  const name = /\w+$/.exec(text.slice(0, offset))![0]
  const items =
    name in types ? [{ kind: 'field' as const, label: name, insert: name, type: types[name]!, doc: '' }] : []
  return { start: 0, end: 0, items }
}

describe('the hint', () => {
  it('has the type of the name and the value of the smallest part', async () => {
    expect(await hintAt({ text, offset: 1, values }, complete)).toEqual({
      ...{ start: 0, end: 3, lines: ['**net**: number', '`net` = **100**'] },
    })
    const set = await hintAt({ text, offset: at('duty') + 1, values }, complete)
    expect(set!.lines).toEqual(['**duty**: keyed by country', '`config.duty(buyer.country).rate` = **0.19**'])
    const country = await hintAt({ text, offset: at('country'), values }, complete)
    expect(country!.lines.at(-1)).toBe('`buyer.country` = **D\\*E**')
  })

  it('is only the type without a picked record, and nothing for an unknown name', async () => {
    expect((await hintAt({ text, offset: 1, values: [] }, complete))!.lines).toEqual(['**net**: number'])
    expect(await hintAt({ text, offset: at('rate'), values: [] }, complete)).toBeNull()
    expect(await hintAt({ text: '1 + 2', offset: 2, values: [] }, complete)).toBeNull()
  })

  it('is without the type if the server does not answer', async () => {
    const hint = await hintAt({ text, offset: 1, values }, () => Promise.reject(new Error('lost')))
    expect(hint!.lines).toEqual(['`net` = **100**'])
  })
})
