// Plain words: no prose matches the word list, except for listed lines that have a reason.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wordExceptions } from './plain-words-exceptions.ts'
import { faultsOf, filesBelow, repositoryFiles, root, wordRules } from './plain-words.ts'

/** The parts of the repository that are checked. */
const plain = [
  'server',
  'renderer',
  'elements',
  'main',
  'resources',
  'docs',
  'test',
  ...repositoryFiles().filter((file) => !file.includes('/') && /\.(?:ts|mjs|md)$/.test(file)),
]

const isException = ({ file, text }: { file: string; text: string }): boolean =>
  wordExceptions.some((each) => each.file === file && text.includes(each.text))

describe('plain words', () => {
  it.each(plain)('%s', (path) => {
    const faults = filesBelow([path]).flatMap((file) =>
      faultsOf(file, readFileSync(join(root, file), 'utf8')),
    )
    const left = faults.filter((fault) => !isException(fault))
    expect(
      left.map(({ file, line, word, instead }) => `${file}:${line}: "${word}": write ${instead}`),
    ).toEqual([])
  })

  it('have a reason for each exception, which still exists', () => {
    for (const { file, text, reason } of wordExceptions) {
      expect(reason).not.toBe('')
      expect(readFileSync(join(root, file), 'utf8')).toContain(text)
    }
  })
})

describe('the list', () => {
  it.each([
    ['a.ts', '// This is no file.'],
    ['a.ts', "const message = 'It stands on a set.'"],
    ['a.ts', 'const message = `${count} changes are told`'],
    ['a.vue', '<template><p title="Whoever asks">Fine</p></template>'],
    ['a.vue', '<template><p>{{ open ? "Read anew" : "" }}</p></template>'],
    ['a.ts', String.raw`const message = 'Fine.\nanew'`],
    ['a.vue', '<template><p>This is\n  no file.</p></template>'],
    ['a.md', 'The default is 20 where left out.'],
  ])('finds words in %s: %s', (file, source) => {
    expect(faultsOf(file, source)).toHaveLength(1)
  })

  it.each([
    ['a.ts', 'const told = stands(anew)'],
    ['a.ts', "import { told } from './told.ts'"],
    ['a.vue', '<template><p :told="told">Fine</p></template>'],
    ['a.md', 'Call `told()`.'],
  ])('leaves code alone in %s: %s', (file, source) => {
    expect(faultsOf(file, source)).toEqual([])
  })

  it('has a plain word for each', () => {
    for (const { instead } of wordRules) expect(instead).not.toBe('')
  })
})
