// Directories: every invalid file is reported with its location, and no file hides another.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { componentTypes, explainKey, splitId } from '#kernel/components/component.ts'
import { initOrg } from '../compose/open-org.ts'
import { idAt, pathOf } from './directory-layout.ts'
import type { Org } from './org.ts'
import { readDirectory } from './read-directory.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-dir-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), content)
}

const valueSet = (key: string, label = key): string =>
  JSON.stringify({ type: 'value_set', key, label, body: { values: [] } }, null, 2)

describe('the layout', () => {
  const slug = fc.stringMatching(/^[a-z][a-z0-9_]{0,79}$/)
  const ids = fc.oneof(
    fc.tuple(slug, slug).map(([set, name]) => ['config_entry', `${set}.${name}`] as const),
    fc.tuple(fc.constantFrom(...componentTypes.filter((type) => type !== 'config_entry')), slug),
  )

  it('maps an id to a path within the directory and back', () => {
    fc.assert(
      fc.property(ids, ([type, key]) => {
        const path = pathOf(type, key)
        expect(idAt(path)).toBe(`${type}/${key}`)
        expect(relative('/dir', join('/dir', path))).toBe(path)
        expect(path).toMatch(/^[a-z_]+(\/[a-z0-9_]+){1,2}\.json$/)
      }),
    )
  })

  it('creates no path from anything else', () => {
    const parts = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '\0',
      '.git/config',
      'A',
      'a',
      '.',
      '%2e',
      'é',
      'C:',
      ' ',
      'x'.repeat(90),
    )
    const evil = fc.array(parts, { minLength: 1, maxLength: 6 }).map((all) => all.join(''))
    fc.assert(
      fc.property(fc.constantFrom(...componentTypes), fc.oneof(evil, fc.string()), (type, key) => {
        fc.pre(explainKey(type, key) !== null)
        expect(() => pathOf(type, key)).toThrow(expect.objectContaining({ code: 'files.invalid' }) as Error)
        expect(idAt(`${type}/${key}.json`)).toSatisfy(
          (id: string | null) =>
            id === null || pathOf(splitId(id).type, splitId(id).key) === `${type}/${key}.json`,
        )
      }),
    )
    expect(() => pathOf('.git' as never, 'config')).toThrow()
  })

  it('maps every id to one path and every path to at most one id', () => {
    expect(pathOf('config_entry', 'vat.de_2021')).toBe('config_entry/vat/de_2021.json')
    expect(idAt('config_entry/vat/de_2021.json')).toBe('config_entry/vat.de_2021')
    expect(idAt('object/invoice.json')).toBe('object/invoice')
    for (const path of ['object/a/b.json', 'config_entry/a.json', 'objects/a.json', 'object/a.txt'])
      expect(idAt(path)).toBeNull()
  })
})

describe('reading a directory', () => {
  it('finds one broken file among thousands and reads all others', () => {
    for (let index = 0; index < 2000; index += 1) put(`value_set/v${index}.json`, valueSet(`v${index}`))
    put('value_set/v1234.json', '{\n  "type": "value_set",\n  "key": }')
    const { components, findings } = readDirectory(dir)
    expect(components).toHaveLength(1999)
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({
      code: 'files.json',
      component: 'value_set/v1234',
      facts: { file: 'value_set/v1234.json', line: 3, column: 10 },
    })
  })

  it.each<[string, string, string | Buffer, string, Record<string, unknown>]>([
    [
      'text in a different encoding',
      'value_set/a.json',
      Buffer.from([0x7b, 0xff, 0x7d]),
      'files.encoding',
      {},
    ],
    ['an empty file', 'value_set/a.json', '', 'files.json', { line: 1, column: 1 }],
    [
      'a file in a different place',
      'value_set/b.json',
      valueSet('a'),
      'files.place',
      { file: 'value_set/b.json' },
    ],
    ['a list instead of a component', 'value_set/a.json', '[]', 'envelope.invalid', {}],
    [
      'an extension in capitals',
      'value_set/b.JSON',
      valueSet('b'),
      'files.place',
      { file: 'value_set/b.JSON' },
    ],
    ['an unknown folder', 'value_sets/a.json', valueSet('a'), 'files.folder', { file: 'value_sets' }],
    [
      'an unknown property',
      'value_set/a.json',
      '{ "type": "value_set",\n"key": "a", "label": "A", "bdy": {}, "body": { "values": [] } }',
      'body.unknown_property',
      { line: 2 },
    ],
    [
      'a property that is written twice',
      'value_set/a.json',
      '{ "type": "value_set", "key": "a",\n"label": "A", "label": "B", "body": { "values": [] } }',
      'body.duplicate_property',
      { line: 2, column: 15 },
    ],
    [
      'a property that names a prototype',
      'value_set/a.json',
      '{ "type": "value_set", "key": "a", "label": "A",\n"body": { "values": [], "__proto__": {} } }',
      'body.unknown_property',
      { line: 2, column: 25 },
    ],
    [
      'half of a character',
      'value_set/a.json',
      '{ "type": "value_set", "key": "a",\n"label": "\\ud800", "body": { "values": [] } }',
      'body.format',
      { line: 2, column: 1 },
    ],
    [
      'endlessly nested values',
      'value_set/a.json',
      `{ "type": "value_set", "key": "a", "label": "A", "x": ${'['.repeat(8000)}${']'.repeat(8000)} }`,
      'body.range',
      { line: 1, column: 254 },
    ],
    ['endless brackets', 'value_set/a.json', '['.repeat(100_000), 'body.range', { column: 201 }],
  ])('reports %s', (_, path, content, code, facts) => {
    put(path, content)
    put('value_set/good.json', valueSet('good'))
    const { components, findings } = readDirectory(dir)
    expect(components.map(({ component }) => component.key)).toContain('good')
    expect(findings.map((each) => each.code)).toContain(code)
    const found = findings.find((each) => each.code === code)!
    expect(found.severity).toBe('error')
    expect(found.facts).toMatchObject(facts)
  })

  it('removes a byte order mark with a warning, and reads ten megabytes of text unchanged', () => {
    put('value_set/a.json', `\ufeff${valueSet('a')}`)
    put('value_set/b.json', valueSet('b', 'x'.repeat(10_000_000)))
    const { components, findings } = readDirectory(dir)
    expect(components.map(({ component }) => component.label.length)).toEqual([1, 10_000_000])
    expect(findings).toMatchObject([{ severity: 'warning', code: 'files.byte_order_mark' }])
  })

  it.skipIf(process.platform === 'win32')(
    'names a pipe, even behind a link, and does not wait for it',
    () => {
      put('value_set/a.json', valueSet('a'))
      execFileSync('mkfifo', [join(dir, 'value_set/pipe.json')])
      symlinkSync(join(dir, 'value_set/pipe.json'), join(dir, 'value_set/link.json'))
      const { components, findings } = readDirectory(dir)
      expect(components.map(({ component }) => component.key)).toEqual(['a'])
      expect(findings.map(({ code, facts }) => [code, facts])).toEqual([
        ['files.unreadable', { file: 'value_set/link.json' }],
        ['files.unreadable', { file: 'value_set/pipe.json' }],
      ])
      expect(findings[0]!.message).toContain('not a regular file')
    },
  )

  it.skipIf(process.platform === 'win32')('names a link and does not follow it', () => {
    put('value_set/a.json', valueSet('a'))
    put('elsewhere/b.json', valueSet('b'))
    rmSync(join(dir, '.away'), { recursive: true, force: true })
    renameSync(join(dir, 'elsewhere'), join(dir, '.away'))
    symlinkSync('loop.json', join(dir, 'value_set/loop.json'))
    symlinkSync('../.away/b.json', join(dir, 'value_set/b.json'))
    symlinkSync('.away', join(dir, 'object'))
    symlinkSync('.away/b.json', join(dir, 'c.json'))
    const { components, findings } = readDirectory(dir)
    expect(components.map(({ component }) => component.key)).toEqual(['a'])
    expect(findings.map(({ code, facts }) => [code, facts!['file']])).toEqual([
      ['files.unreadable', 'c.json'],
      ['files.unreadable', 'object'],
      ['files.unreadable', 'value_set/b.json'],
      ['files.unreadable', 'value_set/loop.json'],
    ])
  })

  describe('a misplaced component', () => {
    const placed = (content: string, ...paths: string[]) => {
      for (const path of paths) put(path, content)
      return readDirectory(dir).findings.map(({ code, severity, message }) => [code, severity, message])
    }
    const error = (words: string) => ['files.place', 'error', expect.stringContaining(words) as string]

    it('is reported with the path where it belongs', () => {
      put('object/x.json', '{"type":"object","key":"x","label":"X","body":{"fields":[]}}')
      expect(placed(valueSet('a'), 'a.json', 'B.JSON', 'value_set/deep/a.json')).toEqual([
        error('value_set/a.json'),
        error('value_set/a.json'),
        error('value_set/a.json'),
      ])
    })

    it('is reported even if it is not valid JSON or its key is not valid', () => {
      put('object/x.json', '{"type":"object","key":"x","label":"X","body":{"fields":[]}}')
      put('a.json', '{ "type": "value_set", "key": "a", }')
      put('b.json', '{ "type": "config_entry", "key": "../../x" }')
      expect(placed('{}', 'package.json')).toEqual([
        error('value_set/a.json'),
        error('outside the folder config_entry'),
      ])
    })

    it('asks to move a misplaced file out of a nested component folder', () => {
      put('object/x.json', '{"type":"object","key":"x","label":"X","body":{"fields":[]}}')
      const [[, , message] = []] = placed(valueSet('a'), 'sub/value_set/a.json')
      expect(message).toContain('Move the contents of')
      expect(message).not.toContain('Use that directory')
    })

    it('is reported as missing from an empty file', () => {
      put('value_set/a.json', ' ')
      expect(readDirectory(dir).findings[0]!.message).toContain('a value is missing; the text is empty')
    })

    it('is reported with the right directory, one level too deep or too high', () => {
      put('out/almanac.json', '{ "lineage": "l", "generation": 1 }')
      put('out/config_entry/vat/de.json', '{}')
      put('out/value_set/a.json', valueSet('a'))
      const at = (path: string) =>
        readDirectory(join(dir, path)).findings.map(({ code, message }) => [code, message])
      for (const deep of ['out/value_set', 'out/config_entry', 'out/config_entry/vat']) {
        const [[code, message] = []] = at(deep)
        expect([deep, code]).toEqual([deep, 'files.place'])
        expect(resolve(/Use (\S+?)\/?,/.exec(message!)![1]!)).toBe(join(dir, 'out'))
      }
      expect(at('.')).toEqual([['files.place', expect.stringContaining(`Use that directory`)]])
      mkdirSync(join(dir, 'empty'))
      expect(at('empty')).toEqual([['files.place', expect.stringContaining('contains no components')]])
      put('file/value_set', 'no folder')
      expect(at('file')).toEqual([['files.place', expect.stringContaining('is a file')]])
    })
  })

  it('ignores hidden folders and other files', () => {
    put('.git/config.json', 'no')
    put('README.md', '# Notes')
    put('value_set/notes.txt', 'no')
    expect(readDirectory(dir)).toEqual({
      components: [],
      findings: [],
      invalidComponents: [],
      manifest: null,
    })
  })

  it('refuses a path that is not a directory, and a file that is not a manifest', () => {
    expect(() => readDirectory(join(dir, 'none'))).toThrow(
      expect.objectContaining({ code: 'files.invalid' }) as Error,
    )
    put('almanac.json', '{ "lineage": 7 }')
    expect(() => readDirectory(dir)).toThrow(/almanac\.json/)
  })
})

describe('retrieve', () => {
  let org: Org
  beforeEach(() => {
    org = initOrg(join(dir, 'org'), { name: 'T', environment: 'dev' })
  })
  afterEach(() => org.close())

  const files = (root: string): string[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name).slice(root.length + 1))
      .sort()
  const texts = (root: string): string[] =>
    files(root).map((path) => `${path}\n${readFileSync(join(root, path), 'utf8')}`)

  it('writes the same bytes again, even after they were applied, and leaves correct files untouched', async () => {
    const out = join(dir, 'out')
    await org.apply({
      source: { kind: 'components', components: [JSON.parse(valueSet('a'))] },
      actor: 'admin',
    })
    org.retrieve(out)
    const first = texts(out)
    expect(files(out)).toEqual([
      'almanac.json',
      'integration_client/local.json',
      'permission_set/administrator.json',
      'value_set/a.json',
    ])
    const touched = statSync(join(out, 'value_set/a.json')).mtimeMs
    const again = await org.apply({ source: { kind: 'directory', dir: out }, actor: 'admin' })
    expect(again).toMatchObject({ unchanged: true, generation: 2 })
    expect(org.retrieve(out)).toMatchObject({ written: 0, unchanged: 4, removed: 0 })
    expect(texts(out)).toEqual(first)
    expect(statSync(join(out, 'value_set/a.json')).mtimeMs).toBe(touched)
  })

  it.skipIf(process.platform === 'win32')('writes and removes nothing through a link', async () => {
    const [out, away] = [join(dir, 'out'), join(dir, 'away')]
    await org.apply({
      source: { kind: 'components', components: [JSON.parse(valueSet('a'))] },
      actor: 'admin',
    })
    mkdirSync(away)
    writeFileSync(join(away, 'a.json'), 'mine')
    for (const [link, target] of [
      ['value_set', away],
      ['value_set/a.json', join(away, 'a.json')],
      ['almanac.json', join(away, 'a.json')],
    ] as const) {
      rmSync(out, { recursive: true, force: true })
      mkdirSync(dirname(join(out, link)), { recursive: true })
      symlinkSync(target, join(out, link))
      expect(() => org.retrieve(out)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^files\./) as string }) as Error,
      )
    }
    expect(readdirSync(away)).toEqual(['a.json'])
    expect(readFileSync(join(away, 'a.json'), 'utf8')).toBe('mine')
  })

  it('removes files of removed components, but never a file that it did not write', async () => {
    const out = join(dir, 'out')
    await org.apply({
      source: { kind: 'components', components: [JSON.parse(valueSet('a'))] },
      actor: 'admin',
    })
    org.retrieve(out)
    writeFileSync(join(out, 'value_set/mine.json'), valueSet('mine'))
    await org.apply({
      source: { kind: 'components', components: [], removals: ['value_set/a'] },
      actor: 'admin',
    })
    expect(org.retrieve(out)).toMatchObject({ removed: 1 })
    expect(files(out)).toContain('value_set/mine.json')
    expect(files(out)).not.toContain('value_set/a.json')
  })
})
