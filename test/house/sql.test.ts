// Statements of the storage name their columns, and their parameters if there are more than three.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryFiles, root } from './plain-words.ts'

const unnamedColumns = /\bINSERT\s+(?:OR\s+\w+\s+)?INTO\s+(?:[\w."]|\$\{[^}]*\})+\s+(?:VALUES|SELECT)\b/gi
const positionalValues = /\bVALUES\s*\((?:[^()?]*\?){4}[^()]*\)/gi

const breachesIn = (text: string): string[] => [
  ...(text.match(unnamedColumns) ?? []),
  ...(text.match(positionalValues) ?? []),
]

/** A released migration is never edited. */
const released = 'server/storage/sqlite/migrations/013-remote-listings.ts'

const storage = repositoryFiles().filter(
  (file) => /^server\/storage\/.*(?<!\.test)\.ts$/.test(file) && file !== released,
)

describe('SQL', () => {
  it.each([
    ['INSERT INTO setting VALUES (@name, @json)'],
    ['INSERT OR REPLACE INTO temp.setting\n  SELECT name FROM old'],
    ['INSERT INTO remote_job (id, remote, state, json) VALUES (?, ?, ?, ?)'],
    ['INSERT INTO remote_job (id, remote, state, json) VALUES (?, ?,\n  ?, ?)'],
  ])('lacks names in %j', (text) => {
    expect(breachesIn(text)).toHaveLength(1)
  })

  it('can have three positional parameters', () => {
    expect(breachesIn('INSERT INTO part (listing, place, lines) VALUES (?, ?, ?)')).toEqual([])
  })

  it.each(storage)('names columns and parameters in %s', (file) => {
    expect(breachesIn(readFileSync(join(root, file), 'utf8'))).toEqual([])
  })
})
