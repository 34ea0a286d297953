// Comments and pages cite only what is in the repository: pages by their path, and public standards.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryFiles, root } from './plain-words.ts'

/** Citations of documents that only the authors have. */
const foreign: readonly RegExp[] = [
  /\bspecification,? \d/i,
  /\bcompletions,? \d/i,
  /\b(?:style|architecture|issue|review) #?\d/i,
  /\((?:studio|architecture|HTTP surface|issue|completions|style)(?:[:;)]|, ")/,
  /; (?:studio|architecture|issue): /,
  /"Shown by"/i,
  /\([1-9]\.\d+(?:\.\d+[;,)]|;)/,
  /[.;] \d\.\d+(?:\.\d+)?; (?:\d|completions)/,
]
const pageName = /[\w./-]*[\w-]\.md\b/g

const comments = (text: string): string =>
  (text.match(/(?<=^|\s)(?:\/\/[^\n]*|\/\*[^]*?\*\/|<!--[^]*?-->)/gm) ?? []).join('\n')

function citationsOf(file: string, text: string): string[] {
  const isPage = file.endsWith('.md')
  const prose = (isPage ? text.replace(/```[^]*?```/g, '') : comments(text)).replace(
    /\s*\n\s*(?:\/\/|\*)? ?/g,
    ' ',
  )
  const pages = isPage ? [] : (prose.match(pageName) ?? [])
  return [
    ...foreign.flatMap((pattern) => pattern.exec(prose)?.[0] ?? []),
    ...pages.filter(
      (page) => ![root, join(root, dirname(file))].some((folder) => existsSync(join(folder, page))),
    ),
  ]
}

const checked = repositoryFiles().filter(
  (file) => /\.(?:ts|tsx|mjs|js|vue|css|html|md|ya?ml)$/.test(file) && !file.startsWith('test/house/'),
)

describe('citations', () => {
  it('name nothing outside the repository', () => {
    const citations = checked.flatMap((file) =>
      citationsOf(file, readFileSync(join(root, file), 'utf8')).map((citation) => `${file}: ${citation}`),
    )
    expect(citations).toEqual([])
  })

  it.each([
    '// Replays a value (specification 2.7).',
    '// Replays a value (specification\n// 2.7; completions 3).',
    '/** A half-open range. 2.4; completions 2. */',
    '// The sheet of entries (studio: "Entries").',
    '// The order is data (style 5).',
    '// The problems of the org (HTTP surface).',
    '// A safe delete (2.7.9).',
    '// Never waits long (bench.md).',
  ])('that do are found: %s', (source) => {
    expect(citationsOf('server/a.ts', source)).not.toEqual([])
  })

  it.each([
    '// Errors in the format of OAuth (RFC 6749, 5.2).',
    '// Reads a value (docs/reference/http.md).',
    '// The studio: a page. See README.md.',
    "const path = 'bench.md'",
  ])('that do not are accepted: %s', (source) => {
    expect(citationsOf('server/a.ts', source)).toEqual([])
  })
})
