// What a verb says: results to stdout, everything else to stderr; colour and tables only for people (completions 7).
import pc from 'picocolors'
import { jsonParts } from './json-parts.ts'
import { safeText, shownText } from './shown-text.ts'

export interface Terminal {
  /** Results go out as JSON, and nothing else goes to stdout. */
  readonly json: boolean
  readonly paint: ReturnType<typeof pc.createColors>
  /** A line for people; silent with --json, when a function is not asked for its text. */
  print(text: string | (() => string)): void
  /** The result: printed with --json, silent without. */
  data(value: unknown): void
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
    data: (value) => {
      if (!json) return
      if (seen || typeof value !== 'object' || value === null || Array.isArray(value))
        // In JSON a control's code means the control, so the value stays what it is.
        return out(
          seen ? `${safeText(JSON.stringify(value, null, 2), false)}\n` : `${JSON.stringify(value)}\n`,
        )
      for (const part of jsonParts(value)) out(part)
      out('\n')
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

/** `1 entry`, `3 entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
