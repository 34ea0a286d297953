// A new set is visible to its author, and a new entry names its set.
import { describe, expect, it } from 'vitest'
import { firstBody } from './first-body.ts'

describe('firstBody', () => {
  it('grants a new set and a new flag to their author', () => {
    expect(firstBody('config_set', 'rate', ['administrator'])).toMatchObject({
      read: { administrator: 'read' },
      edit: { administrator: 'edit' },
    })
    expect(firstBody('feature_flag', 'on', ['tax'])).toMatchObject({ read: { tax: 'read' }, scopes: ['org'] })
  })
  it('names the set of an entry', () =>
    expect(firstBody('config_entry', 'rate.de', [])).toMatchObject({ set: 'rate' }))
})
