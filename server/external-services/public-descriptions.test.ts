// Public descriptions: all of the formats that are supported import, and importing them again finds no drift.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dump } from 'js-yaml'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { findDrift } from './drift/drift.ts'
import { importDescription, type ImportedDescription } from './import-description.ts'
import { openService } from './call/open-service.ts'
import { reversedKeys } from '../../test/support/reversed-keys.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const require = createRequire(import.meta.url)
const examples = dirname(require.resolve('@readme/oas-examples/package.json'))
const filesIn = (pattern: string): string[] =>
  globSync(pattern, { cwd: examples })
    .sort()
    .map((path) => join(examples, path))
const figma = join(dirname(require.resolve('@figma/rest-api-spec/package.json')), 'openapi/openapi.yaml')

const imported = (
  file: string,
  text = readFileSync(file, 'utf8'),
  operations?: string[],
): ImportedDescription => importDescription({ text, name: basename(file) }, { sha256, operations })

/** They describe webhooks, or nothing. */
const withoutOperations = ['title.json', 'webhooks.json', 'webhooks.yaml']
const supported = [...filesIn('3.*/**/*.{json,yaml}'), figma]

describe('a public description', () => {
  it.each(
    supported
      .filter((file) => !withoutOperations.includes(basename(file)))
      .map((file) => [file.slice(file.indexOf('node_modules') + 13), file]),
  )('%s imports, and again in any form without drift', (_, file) => {
    const first = imported(file)
    expect(first.operations.length).toBeGreaterThan(0)
    for (const text of [JSON.stringify(reversedKeys(first.bundle)), dump(first.bundle)]) {
      const again = imported(file, text)
      expect(again.hash).toBe(first.hash)
      expect(findDrift(first, again, sha256)).toEqual([])
    }
  })

  it.each(filesIn('2.0/**/*.{json,yaml}').map((file) => [basename(file), file]))(
    '%s is refused, because it is Swagger 2.0',
    (_, file) => {
      expect(() => imported(file)).toThrow(AlmanacError)
      expect(() => imported(file)).toThrow(/is Swagger 2\.0/)
    },
  )
})

describe('the largest with some operations chosen', () => {
  const all = imported(figma)
  const chosen = all.available.slice(0, 20).map(({ name }) => name)
  const some = imported(figma, undefined, chosen)

  it('has exactly these, with the signatures that they have among all', () => {
    expect(some.operations.map(({ name }) => name)).toEqual([...chosen].sort())
    const signatures = new Map(all.operations.map(({ name, signature }) => [name, signature]))
    for (const { name, signature } of some.operations) expect(signature).toBe(signatures.get(name))
  })

  it('has no reference that leads nowhere, and no component that nothing refers to', () => {
    const text = JSON.stringify(some.bundle)
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+\/[^"/]+)/g)].map(([, name]) => name),
    )
    const { securitySchemes: _schemes, ...components } = some.bundle.components as Record<string, object>
    const names = Object.entries(components).flatMap(([section, parts]) =>
      Object.keys(parts).map((name) => `${section}/${name}`),
    )
    expect(names.sort()).toEqual([...references].sort())
  })

  it('can be called', () => {
    const service = openService(some.bundle, some.types)
    for (const name of chosen) expect(service.operation(name)!.structure.path).toMatch(/^\//)
  })
})
