import { describe, expect, it } from 'vitest'
import { lackWords, requestLackWords } from './lack-words.ts'

describe('the missing permissions for a change', () => {
  it('are reported to the user who lacks them', () => {
    expect(lackWords('metadata.author', null)).toBe(
      'You lack metadata.author, so you cannot apply this change.',
    )
    expect(lackWords('metadata.author', 'Mara')).toMatch(/^Mara lacks metadata\.author\./)
  })

  it('are reported about the author above a request', () => {
    expect(requestLackWords(['metadata.author', 'edit:vat_rate'], 'Mara')).toMatch(
      /^Mara lacks metadata\.author, edit:vat_rate\. The request is applied with the permissions of its author,/,
    )
    expect(requestLackWords(['metadata.author'], null)).toMatch(/^You lack .* with your permissions,/)
  })
})
