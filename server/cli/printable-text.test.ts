import { describe, expect, it } from 'vitest'
import { cellText, escapeControls, printableText } from './printable-text.ts'
import { tableText } from './table.ts'
import { createTerminal } from './terminal.ts'

const escape = '\u001b'
const red = `${escape}[31mred${escape}[39m`

describe('shownText', () => {
  it.each([
    [`a${escape}[2Jb`, 'a\\u001b[2Jb'],
    ['a\nb\rc\u0000', 'a\\u000ab\\u000dc\\u0000'],
    ['\u009b2J\u007f', '\\u009b2J\\u007f'],
    ['\u202eabc\u2069', '\\u202eabc\\u2069'],
    ['Zürich 東京 👍', 'Zürich 東京 👍'],
    [red, '\\u001b[31mred\\u001b[39m'],
  ])('writes %j as %s', (text, shown) => expect(printableText(text)).toBe(shown))

  it('cuts long text and shows its length', () => {
    expect(printableText('x'.repeat(1200), 5)).toBe('xxxxx… (1,200 characters)')
    expect(printableText('xxxx👍👍', 5)).toBe('xxxx… (8 characters)')
  })
})

describe('safeText', () => {
  it('keeps lines and colours, and escapes other control characters', () => {
    expect(escapeControls(`${red}\n${escape}[2J${escape}]0;title\u0007`, true)).toBe(
      `${red}\n\\u001b[2J\\u001b]0;title\\u0007`,
    )
    expect(escapeControls(red, false)).toBe('\\u001b[31mred\\u001b[39m')
    expect(escapeControls(`${escape}[8mhidden`, true)).toBe('\\u001b[8mhidden')
  })
})

describe('tableText', () => {
  const terminal = createTerminal(false)

  it('keeps each row on one line and each cell short', () => {
    const lines = tableText(terminal, ['a', 'b'], [['one\ntwo', `${escape}[2J${' '.repeat(50_000)}x`]]).split(
      '\n',
    )
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^one\\u000atwo {2}\\u001b\[2J +… \(50,005 characters\)$/)
  })

  it('cuts a painted cell without its colours', () => {
    expect(cellText(red, 5)).toBe(red)
    expect(cellText(`${escape}[31m${'x'.repeat(20)}${escape}[39m`, 10)).toBe('xxxxxxxxxx… (20 characters)')
  })
})
