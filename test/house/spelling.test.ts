// The word list of the spelling check contains only terms that the repository uses, in order.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryFiles, root } from './plain-words.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const config = read('cspell.config.yaml')
const words = [...config.slice(config.indexOf('\nwords:')).matchAll(/^ {2}- (.+)$/gm)].map(
  ([, word]) => word!,
)

it('the word list is sorted, each word once', () => {
  const lower = words.map((word) => word.toLowerCase())
  expect(lower).toEqual([...new Set(lower)].sort())
})

it('each word of the list occurs in a file', () => {
  const files = repositoryFiles().filter(
    (file) => /\.(?:ts|tsx|mjs|js|vue|css|md)$/.test(file) && file !== 'cspell.config.yaml',
  )
  const all = files.map(read).join('\n').toLowerCase()
  expect(words.filter((word) => !all.includes(word.toLowerCase()))).toEqual([])
})
