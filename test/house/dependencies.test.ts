// docs/dependencies.md has one line for each dependency, with the licence that the package itself declares.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8')
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
  string,
  Record<string, string>
>
const declared = Object.keys({ ...dependencies, ...devDependencies })
const rows = new Map(
  read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name, , licence]) => [name!.replaceAll('`', ''), licence] as const),
)

describe('docs/dependencies.md', () => {
  it('lists exactly the dependencies of package.json', () => {
    expect([...rows.keys()].sort()).toEqual(declared.sort())
  })

  it.each(declared)('states the licence of %s', (name) => {
    const { license } = JSON.parse(read(`node_modules/${name}/package.json`)) as { license?: string }
    expect(rows.get(name)).toBe(license ?? licenceOfFile(name))
  })
})

/** Of a package that declares none: by the text of its file. */
function licenceOfFile(name: string): string {
  const text = read(`node_modules/${name}/LICENSE`)
  return /Apache License\s+Version 2\.0/.test(text) ? 'Apache-2.0' : text.slice(0, 80)
}

describe('package-lock.json', () => {
  it('names only the public registry', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { resolved?: string }> }
    const hosts = Object.values(lock.packages).flatMap(({ resolved }) =>
      resolved ? [new URL(resolved).origin] : [],
    )
    expect(hosts.filter((host) => host !== 'https://registry.npmjs.org')).toEqual([])
  })
})
