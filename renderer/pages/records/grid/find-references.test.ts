// Which record a pasted name means.
import { describe, expect, it } from 'vitest'
import { pickReference } from './find-references.ts'

const records = [
  { id: '1', name: 'Harbour Papers' },
  { id: '2', name: 'Harbour Papers Ltd' },
  { id: '3', name: 'Novak' },
  { id: '4', name: 'NOVAK' },
  { id: '5', name: 'Twin' },
  { id: '6', name: 'Twin' },
]

describe('a pasted name', () => {
  it.each([
    ['Harbour Papers', '1'],
    ['HARBOUR PAPERS', '1'],
    ['Novak', '3'],
    ['NOVAK', '4'],
  ])('means the record of this name: %j', (name, id) => {
    expect(pickReference(name, records, 'Client').id).toBe(id)
  })

  it.each([
    ['Harbour', 'No record of Client has the name “Harbour”.'],
    ['Twin', 'Several records of Client have the name “Twin”: choose one in the cell.'],
    ['novak', 'Several records of Client have the name “novak”: choose one in the cell.'],
  ])('means none with a reason: %j', (name, why) => {
    expect(pickReference(name, records, 'Client')).toEqual({ why })
  })
})
