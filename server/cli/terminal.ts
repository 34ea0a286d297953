// What a verb says: results to stdout, everything else to stderr; colour and tables only for people (completions 7).
import { pipeline } from 'node:stream/promises'
import pc from 'picocolors'
import { jsonParts } from './json-parts.ts'
import { safeText, shownText } from './shown-text.ts'

export interface Terminal {
  /** Results go out as JSON, and nothing else goes to stdout. */
  readonly json: boolean
  readonly paint: ReturnType<typeof pc.createColors>
  /** A line for people; silent with --json, when a function is not asked for its text. */
  print(text: string | (() => string)): void
  /**
   * The result: printed with --json, silent without. Lists in it may be made as they are read: they are written no
   * faster than they are taken, so wait for it.
   */
  data(value: object): Promise<void>
  /** The result with and without --json: a bare value, a file; as it is, but for controls that a terminal would follow. */
  raw(text: string): void
  /** A remark beside the result, to stderr. */
  note(text: string): void
  /** How far long work is, over itself on one line; only where stderr is a terminal. */
  progress(text: string): void
}

export function createTerminal(json: boolean): Terminal {
  let shown = 0
  const clear = (): void => {
    if (shown > 0) process.stderr.write(`\r${' '.repeat(shown)}\r`)
    shown = 0
  }
  const out = (text: string): void => {
    clear()
    process.stdout.write(text)
  }
  const seen = process.stdout.isTTY === true
  const colours = pc.isColorSupported && seen
  return {
    json,
    paint: pc.createColors(colours),
    print: (text) =>
      json ? undefined : out(`${safeText(typeof text === 'string' ? text : text(), colours)}\n`),
    data: async (value) => {
      if (!json) return
      clear()
      await pipeline(textOf(value, seen), process.stdout, { end: false })
    },
    raw: (text) => out(seen ? safeText(text.replaceAll('\r\n', '\n'), false) : text),
    note: (text) => {
      clear()
      process.stderr.write(`${safeText(text, colours)}\n`)
    },
    progress: (text) => {
      if (process.stderr.isTTY !== true || json) return
      clear()
      const line = shownText(text)
      process.stderr.write(line)
      shown = line.length
    },
  }
}

/** Laid out for a person; for a program on one line. */
function* textOf(value: object, laidOut: boolean): Iterable<string> {
  // In JSON a control's code means the control, so the value stays what it is.
  for (const part of jsonParts(value, laidOut ? 2 : 0)) yield laidOut ? safeText(part, false) : part
  yield '\n'
}

/** `1 entry`, `3 entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
