// Texts that no user would write by hand, through the real command line: none of them hangs, escapes or hides the rest.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { almanac, scratch, writeComponents } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])

const notes = {
  type: 'config_set',
  key: 'notes',
  label: 'Notes',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'name', type: 'text' },
    fields: [
      { key: 'text', type: 'text' },
      { key: 'amount', type: 'number', precision: 30, scale: 2 },
    ],
    read: { administrator: 'read' },
    edit: { administrator: 'edit' },
  },
}
const note = (slug: string, values: object, label = slug) => ({
  type: 'config_entry',
  key: `notes.${slug}`,
  label,
  body: { set: 'notes', key: slug, scope: { kind: 'org' }, values },
})
const files = (name: string, ...components: { type: string; key: string }[]): string =>
  writeComponents(join(dir, name), components)

beforeAll(() => {
  expect(almanac(['init', org, '--environment', 'dev']).code).toBe(0)
  expect(at('apply', files('set', notes)).code).toBe(0)
})

describe('long text', () => {
  const long = 'word '.repeat(2 * 1024 * 1024)

  it('is compared and applied, and shown shortened', () => {
    const ten = files('long', note('long', { text: long }, long.trim()))
    const compared = at('diff', ten)
    expect([compared.code, compared.err]).toEqual([3, ''])
    expect(compared.out).toMatch(/word … \(10,485,760 characters\)/)
    expect(compared.out.length).toBeLessThan(2000)
    expect(at('apply', ten)).toMatchObject({ code: 0, err: '' })
    expect(at('resolve', 'notes', '--key', 'long', '--field', 'text').out).toBe(`${long}\n`)
  }, 60_000)

  it('is short in every refusal as a key, a type or a property', () => {
    const name = 'k'.repeat(1024 * 1024)
    const odd = files('odd', note('odd', {}))
    const torn = join(odd, 'config_entry', 'notes', 'odd.json')
    for (const text of [
      { ...note('odd', {}), key: `notes.${name}` },
      { ...note('odd', {}), type: name },
      { ...note('odd', {}), body: { [name]: 1 } },
    ]) {
      writeFileSync(torn, JSON.stringify(text))
      for (const command of ['validate', 'diff', 'apply']) {
        const refused = at(command, odd)
        expect(refused.code).toBe(1)
        expect(refused.out.length + refused.err.length).toBeLessThan(20_000)
      }
    }
  }, 60_000)

  it('is one short finding as a number', () => {
    const refused = at('validate', files('digits', note('digits', { amount: '9'.repeat(10 * 1024 * 1024) })))
    expect(refused.code).toBe(1)
    expect(refused.out).toMatch(/config\.value_\w+ {2}config_entry\/notes\.digits/)
    expect(refused.out.length).toBeLessThan(3000)
  }, 60_000)
})

describe('control characters', () => {
  /** What a terminal would interpret; a line break is allowed. */
  const followed = /(?!\n)\p{Cc}|\u202e/u
  const sly = 'a\u001b[2Jb\u202ec\u009b0m\u0000'

  it('are written as codes, and kept in the value', () => {
    const dirty = files('sly', note('sly', { text: sly }, `label ${sly}`))
    const compared = at('diff', dirty)
    expect(compared.out).toContain('a\\u001b[2Jb\\u202ec\\u009b0m\\u0000')
    expect(compared.out).not.toMatch(followed)
    const applied = at('apply', dirty, '--json')
    expect(applied.code, applied.out).toBe(0)
    expect(at('resolve', 'notes', '--key', 'sly').out).not.toMatch(followed)
    expect(at('resolve', 'notes', '--key', 'sly', '--json').json()).toMatchObject({ values: { text: sly } })
  })

  it('are codes in a refusal as well', () => {
    const refused = at('validate', files('refused', note('refused', { amount: sly })))
    expect(refused.code).toBe(1)
    expect(refused.out).not.toMatch(followed)
    expect(at('resolve', sly.replace('\u0000', '')).err).not.toMatch(followed)
  })
})

describe('an invalid component', () => {
  it('among thousands is reported alone', () => {
    const many = files('many', ...Array.from({ length: 3000 }, (_, n) => note(`n${n}`, { text: `${n}` })))
    const torn = join(many, 'config_entry', 'notes', 'torn.json')
    writeFileSync(torn, '{ "type": "config_entry", "key": "notes.torn"')
    const refused = at('apply', many, '--json')
    expect(refused.code).toBe(1)
    expect(refused.json()).toMatchObject({ code: 'deploy.invalid', details: [{ code: 'files.json' }] })
    expect(at('validate', many).out).toMatch(/torn\.json:1/)
    writeFileSync(torn, JSON.stringify(note('torn', { text: 'whole' })))
    expect(at('apply', many, '--json').code).toBe(0)
  }, 60_000)

  it('is a finding if its expression is deeply nested', () => {
    for (const [name, body] of [
      ['parens', `${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
      ['sums', `1${'+1'.repeat(20_000)}`],
      ['nots', `${'!'.repeat(20_000)}true`],
    ] as const) {
      const deep = files(`deep_${name}`, {
        type: 'calc_function',
        key: 'deep',
        label: 'Deep',
        body: { params: [], returns: 'number', expression: body },
      } as { type: string; key: string })
      const refused = at('validate', deep, '--json')
      expect([refused.code, refused.err]).toEqual([1, ''])
      const { findings } = refused.json() as unknown as { findings: { code: string; message: string }[] }
      expect(findings.every(({ code }) => code.startsWith('expr.'))).toBe(true)
      expect(findings[0]!.message.length).toBeLessThan(2000)
    }
  }, 60_000)
})
