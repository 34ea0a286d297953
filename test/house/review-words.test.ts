// Rejects words that the users of the first review did not understand, and JSON in what a form shows.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url).pathname

/** The lines of the source files below a folder, without tests and comments. */
function linesOf(folder: string): { place: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|vue)$/.test(path) && !/\.test\.ts$/.test(path))
    .flatMap((path) =>
      readFileSync(join(root, folder, path), 'utf8')
        .split('\n')
        .map((text, at) => ({ place: `${folder}/${path}:${at + 1}`, text }))
        .filter(({ text }) => !/^\s*(\/\/|\*|\/\*)/.test(text)),
    )
}

const placesWith = (lines: readonly { place: string; text: string }[], words: RegExp): string[] =>
  lines.filter(({ text }) => words.test(text)).map(({ place }) => place)

describe('texts of the studio and the server', () => {
  const all = ['server', 'renderer'].flatMap(linesOf)

  it.each([
    /(is|are) another[.;'`]/,
    /in braces\.?['`]/,
    /which is needed/,
    /no open session of the studio/,
    /Who has no/,
    /`Approve \$/,
    /was last seen as\./,
    /to \$\{end\} holds/,
    /say "empty"/,
  ])('avoid invented words: %s', (words) => {
    // Texts only; the help of the automation form describes braces in a path.
    const lines = all.filter(({ place }) => !place.includes('automation/form.ts'))
    expect(placesWith(lines, words)).toEqual([])
  })
})

describe("messages of a component's rules", () => {
  it('do not ask a form to write JSON', () => {
    const whole = /\/(parse|scan-json|json-reasons|json-faults|fixture|rule-fixture)\.ts:|\/doc\.ts:/
    const rooms = linesOf('server/kernel/components').filter(({ place }) => !whole.test(place))
    const json = /['`].*("[A-Za-z]+": |\{ "|in quotes|in brackets|without quotes).*['`]/
    expect(placesWith(rooms, json)).toEqual([])
  })
})
