// Links between pages resolve: files and anchors of Markdown, and citations of pages in sources.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryFiles, root } from './plain-words.ts'

const tracked = repositoryFiles()
const pages = tracked.filter((file) => file.endsWith('.md'))
const sources = tracked.filter((file) => /\.(?:ts|mjs|vue)$/.test(file))

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const withoutCodeBlocks = (text: string): string => text.replace(/^( *)```[^]*?^\1```/gm, '')

/** The page without its code, in which a bracket is not a link. */
const prose = (text: string): string =>
  withoutCodeBlocks(text).replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ' '))

/** The targets of links and pictures of a page, without addresses on the web. */
function targetsOf(text: string): string[] {
  return Array.from(prose(text).matchAll(/\]\(([^()\s]+)\)/g), ([, target]) => target!).filter(
    (target) => !/^[a-z]+:/.test(target),
  )
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading] of withoutCodeBlocks(text).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const plain = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-')
    let name = anchor
    for (let at = 1; anchors.has(name); at += 1) name = `${anchor}-${at}`
    anchors.add(name)
  }
  return anchors
}

/** Reports what is wrong with the links of a page at `file`; `textOf` is null if a file does not exist. */
function faultsOf(file: string, text: string, textOf: (file: string) => string | null): string[] {
  return targetsOf(text).flatMap((target) => {
    const [path = '', anchor] = target.split('#')
    const at = path === '' ? file : normalize(join(dirname(file), decodeURI(path)))
    const content = at === file ? text : textOf(at)
    if (content === null) return [`${file}: ${target} does not exist`]
    if (anchor === undefined || !at.endsWith('.md') || anchorsOf(content).has(anchor)) return []
    return [`${file}: ${target} has no heading for its anchor`]
  })
}

const onDisk = (file: string): string | null =>
  !existsSync(join(root, file)) ? null : file.endsWith('.md') ? read(file) : ''

describe('links', () => {
  it.each(pages)('of %s resolve to files and headings', (page) => {
    expect(faultsOf(page, read(page), onDisk)).toEqual([])
  })

  it('to pages in the sources resolve to files', () => {
    const missing = sources
      .filter((file) => file !== 'test/house/links.test.ts')
      .flatMap((file) =>
        Array.from(read(file).matchAll(/(?<![\w/.*-])docs\/[\w/-]+\.md\b/g), ([page]) => ({ file, page })),
      )
      .filter(({ page }) => !existsSync(join(root, page)))
    expect(missing).toEqual([])
  })

  it('to code resolve to files and names that exist', () => {
    const names = new Set(sources.flatMap((file) => read(file).match(/[A-Za-z_$][\w$]*/g) ?? []))
    const files = new Set(tracked)
    const missing = pages.flatMap((page) =>
      Array.from(read(page).matchAll(/`([\w./-]+)`/g), ([, code]) => ({ page, code: code! })).filter(
        ({ code }) =>
          /\.(?:ts|vue|mjs)$/.test(code)
            ? code.includes('/') && !code.startsWith('.') && !files.has(code)
            : /^[a-z]+[A-Z]\w*$|^[A-Z][a-z]+[A-Z]\w*$/.test(code) && !names.has(code),
      ),
    )
    expect(missing).toEqual([])
  })

  it('reach every page of the documentation from README.md', () => {
    const reached = new Set<string>()
    const open = ['README.md']
    for (let page = open.pop(); page !== undefined; page = open.pop()) {
      if (reached.has(page)) continue
      reached.add(page)
      for (const target of targetsOf(read(page))) {
        const file = normalize(join(dirname(page), target.split('#')[0]!))
        if (file.endsWith('.md') && existsSync(join(root, file))) open.push(file)
      }
    }
    expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([])
  })
})

describe('the check', () => {
  const pagesOf = new Map([['docs/b.md', '# B\n\n## Two words, and more\n\n## Two words, and more\n']])
  const faults = (text: string): string[] => faultsOf('docs/a.md', text, (file) => pagesOf.get(file) ?? null)

  it.each([
    '[a](c.md)',
    '[a](../b.md)',
    '[a](b.md#three)',
    '[a](#nothing)',
    '![a](pictures/a.png)',
    '[a](b.md#two-words-and-more-2)',
  ])('finds %s', (text) => expect(faults(`# A\n\n${text}\n`)).toHaveLength(1))

  it.each([
    '[a](b.md)',
    '[a](b.md#two-words-and-more)',
    '[a](b.md#two-words-and-more-1)',
    '[a](#a)',
    '[a](https://example.com/c.md)',
    '`[a](c.md)`',
    '```\n[a](c.md)\n```',
  ])('accepts %s', (text) => expect(faults(`# A\n\n${text}\n`)).toEqual([]))
})
