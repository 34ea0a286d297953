// The output of a command: results to stdout, the rest to stderr; colour and tables only for people.
import { pipeline } from 'node:stream/promises'
import pc from 'picocolors'
import { jsonParts } from './json-parts.ts'
import { escapeControls, printableText } from './printable-text.ts'

export interface Terminal {
  /** Results are printed as JSON, and nothing else goes to stdout. */
  readonly json: boolean
  readonly paint: ReturnType<typeof pc.createColors>
  /** Prints a line for people; silent with --json, and then does not call a function for its text. */
  print(text: string | (() => string)): void
  /**
   * Prints the result with --json; silent without. Its lists may be lazy: they are written no faster than the output
   * accepts them, so await it.
   */
  data(value: object): Promise<void>
  /** Prints the result with and without --json: a bare value, a file; unchanged except for control characters. */
  raw(text: string): void
  /** Prints a remark to stderr. */
  note(text: string): void
  /** Shows the progress of long work, overwriting one line; only if stderr is a terminal. */
  progress(text: string): void
}

export function createTerminal(json: boolean): Terminal {
  let progressLength = 0
  const clear = (): void => {
    if (progressLength > 0) process.stderr.write(`\r${' '.repeat(progressLength)}\r`)
    progressLength = 0
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
      json ? undefined : out(`${escapeControls(typeof text === 'string' ? text : text(), colours)}\n`),
    data: async (value) => {
      if (!json) return
      clear()
      await pipeline(textOf(value, seen), process.stdout, { end: false })
    },
    raw: (text) => out(seen ? escapeControls(text.replaceAll('\r\n', '\n'), false) : text),
    note: (text) => {
      clear()
      process.stderr.write(`${escapeControls(text, colours)}\n`)
    },
    progress: (text) => {
      if (process.stderr.isTTY !== true || json) return
      clear()
      const line = printableText(text)
      process.stderr.write(line)
      progressLength = line.length
    },
  }
}

/** Indented for a person; on one line for a program. */
function* textOf(value: object, laidOut: boolean): Iterable<string> {
  // In JSON, the code of a control character means that character, so the value does not change.
  for (const part of jsonParts(value, laidOut ? 2 : 0)) yield laidOut ? escapeControls(part, false) : part
  yield '\n'
}

/** `1 entry`, `3 entries`. */
export function countText(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
