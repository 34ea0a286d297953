import { describe, expect, it } from 'vitest'
import { fieldAttention } from './field-attention.ts'

describe('the findings that a form shows', () => {
  it('omit a field before anything is typed, and include it once it was left', () => {
    const form = fieldAttention()
    expect(form.shows('/body/asOfField', true)).toBe(false)
    form.enter('/body/asOfField', false)
    expect(form.shows('/body/asOfField', true)).toBe(false)
    form.leave('/body/asOfField')
    expect(form.shows('/body/asOfField', true)).toBe(true)
    expect(form.shows('/body/fields', true)).toBe(false)
  })

  it('omit a field while it is typed in, but an earlier message stays while it is fixed', () => {
    const form = fieldAttention()
    form.enter('/body/expiresOn', false)
    expect(form.shows('/body/expiresOn', false)).toBe(false)
    expect(form.shows('/body/owner', false)).toBe(true)
    form.leave('/body/expiresOn')
    form.enter('/body/expiresOn', true)
    expect(form.shows('/body/expiresOn', false)).toBe(true)
  })

  it('include an item of a list by its parts', () => {
    const form = fieldAttention()
    form.enter('/body/fields/0/key', false)
    expect(form.shows('/body/fields/0', true)).toBe(false)
    form.leave('/body/fields/0/key')
    expect(form.shows('/body/fields/0', true)).toBe(true)
    expect(form.shows('/body/fields/0/type', true)).toBe(false)
  })

  it('omit an item if only the control that added it was left', () => {
    const form = fieldAttention()
    form.leave('/body/fields', true)
    expect(form.shows('/body/fields', true)).toBe(true)
    expect(form.shows('/body/fields/0/scale', true)).toBe(false)
  })

  it('include everything on a check', () => {
    const form = fieldAttention()
    form.check()
    expect(form.shows('/body/owner', true)).toBe(true)
  })
})
