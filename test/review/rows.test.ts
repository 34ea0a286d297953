// Every fault of the first review has a test, and each named test exists.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answers } from './answers.ts'
import { lookup } from './lookup.ts'
import { security } from './security.ts'
import { studio } from './studio.ts'

const root = join(import.meta.dirname, '../..')
const rows = Object.entries({ ...answers, ...security, ...studio, ...lookup })

describe('the first review', () => {
  for (const [row, { fault, tests }] of rows) {
    if (tests.length === 0) it.todo(`${row}: ${fault}`)
    else
      it.each(tests)(`${row}: %s: %s`, (file, title) => {
        expect(existsSync(join(root, file)), file).toBe(true)
        expect(readFileSync(join(root, file), 'utf8')).toContain(title)
      })
  }
})
