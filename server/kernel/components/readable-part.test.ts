import { describe, expect, it } from 'vitest'
import { parseReadablePart } from './readable-part.ts'

const invoice = (body: object): object => ({ type: 'object', key: 'invoice', label: 'Invoice', body })
const net = { key: 'net', type: 'number', precision: 12, scale: 2 }

describe('the readable part of a half-typed component', () => {
  it('is the whole component if it has no faults', () => {
    expect(parseReadablePart(invoice({ fields: [net] }))).toMatchObject(invoice({ fields: [net] }))
  })

  it('omits faults, and keeps everything else', () => {
    const typed = {
      fields: [
        { key: 'new' },
        net,
        { ...net, key: 'gross', formula: { expression: '' } },
        { ...net, scle: 2 },
      ],
      validationRules: [{ when: 'net < 0' }, { key: 'a', when: 'net > 1', message: 'Too much.' }],
      sharing: { default: 'all' },
    }
    const part = parseReadablePart(invoice(typed))
    expect(part?.body).toMatchObject({
      fields: [net, { key: 'gross' }, net],
      validationRules: [{ key: 'a' }],
      sharing: { default: 'private' },
    })
    expect(part?.body).not.toHaveProperty('fields.1.formula')
  })

  it('does not need a label', () => {
    expect(parseReadablePart({ ...invoice({ fields: [net] }), label: '' })).toMatchObject({ key: 'invoice' })
  })

  it.each([
    [null],
    ['text'],
    [{}],
    [invoice([])],
    [invoice({})],
    [{ ...invoice({ fields: [] }), key: 'No' }],
  ])('of %j is empty', (json) => expect(parseReadablePart(json)).toBeNull())
})
