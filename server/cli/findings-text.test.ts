import { describe, expect, it } from 'vitest'
import type { Finding } from '#kernel/errors/finding.ts'
import { findingsText } from './findings-text.ts'
import type { Terminal } from './terminal.ts'

const plain = (text: string): string => text
const terminal = {
  paint: { red: plain, yellow: plain, cyan: plain, bold: plain, dim: plain },
} as unknown as Terminal
const finding = { severity: 'error', code: 'x.y', component: 'app/a', path: '', message: 'M.', related: [] }

describe('findingsText', () => {
  it('shows how many findings are missing from a truncated list', () => {
    const text = findingsText([finding as unknown as Finding], terminal, 1235)
    expect(text).toContain('and 1,234 more')
    expect(findingsText([finding as unknown as Finding], terminal)).not.toContain('more')
  })
})
