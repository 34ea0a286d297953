import { describe, expect, it } from 'vitest'
import type { Impact } from '../change/index.ts'
import { html } from './html.ts'
import { reviewDocument, type Review } from './index.ts'

const budget = { used: 2048, added: 96, limit: 1e6, left: 997_856 }
const nothing: Impact = {
  base: 4,
  today: '2026-11-21',
  changeDigest: 'jcs1:sha256:00',
  readers: { byType: [], total: 0 },
  keys: { from: 0, looked: 0, total: 0 },
  resolution: { items: [], total: 0 },
  flips: { items: [], total: 0 },
  results: { changed: [], looked: 0, total: 0, reading: 0, next: null },
  budget,
}
const review = (more: Partial<Review> = {}): Review => ({
  org: { name: 'Kestrel', environment: 'prod', lineage: 'l' },
  base: 4,
  changeDigest: 'jcs1:sha256:00',
  author: 'Mara (mara)',
  at: '2026-11-21T10:00:00.000Z',
  rationale: 'The law.',
  counts: { added: 1, changed: 0, renamed: 0, removed: 0 },
  changes: [],
  findings: [],
  findingsTotal: 0,
  impact: nothing,
  budget,
  ...more,
})
const change = (group: string, title: string) => ({
  kind: 'added' as const,
  id: 'config_entry/vat.x',
  group,
  words: { title, before: 'none', after: '0.2100', takesEffect: 'from 1 Jan 2027' },
  renamedFrom: null,
  lacks: '',
})

describe('a review document', () => {
  it('contains rationale, changes in words by set, findings and impact, and loads and runs nothing', () => {
    const text = reviewDocument(
      review({
        changes: [
          change('VAT rate', 'VAT rate, DE, org'),
          change('Fees', 'Fee'),
          change('VAT rate', 'VAT rate, AT, org'),
        ],
      }),
    )
    expect(text.startsWith('<!doctype html>')).toBe(true)
    for (const phrase of ['The law.', 'Mara (mara)', 'jcs1:sha256:00', 'from 1 Jan 2027', '1 added', 'None.'])
      expect(text).toContain(phrase)
    expect(text.indexOf('VAT rate, AT')).toBeLessThan(text.indexOf('Fees'))
    expect(text).not.toMatch(/<script|<link|<img|src=|href=|@import|url\(|\son[a-z]+=/i)
    expect(text).toContain("default-src 'none'")
    expect(text).toContain('@media print')
  })

  it('shows hostile text as text', () => {
    const hostile = '</td><script>alert("x")</script>\u202e'
    const text = reviewDocument(
      review({
        rationale: hostile,
        author: hostile,
        org: { name: hostile, environment: hostile, lineage: hostile },
        changes: [{ ...change(hostile, hostile), lacks: hostile, renamedFrom: hostile }],
        findings: [
          { severity: 'error', code: hostile, component: hostile, path: '', message: hostile, related: [] },
        ],
        findingsTotal: 3,
      }),
    )
    expect(text).not.toContain('<script')
    expect(text).not.toContain('\u202e')
    expect(text).toContain('&lt;script&gt;')
    expect(text).toContain('Showing the first 1 of 3.')
  })

  it('keeps the lines of a rationale', () => {
    expect(reviewDocument(review({ rationale: 'One\n    two' }))).toContain('One\n    two')
  })
})

describe('html', () => {
  it('escapes inserted texts, but not pieces', () => {
    expect(html`<b title="${'"'}">${['<', html`<i>${1}</i>`, null]}</b>`.text).toBe(
      '<b title="&quot;">&lt;<i>1</i></b>',
    )
  })
})
