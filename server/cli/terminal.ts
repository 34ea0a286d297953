// What a verb says: results to stdout, everything else to stderr; colour and tables only for people (completions 7).
import pc from 'picocolors'
import { jsonParts } from './json-parts.ts'

export interface Terminal {
  /** Results go out as JSON, and nothing else goes to stdout. */
  readonly json: boolean
  readonly paint: ReturnType<typeof pc.createColors>
  /** A line for people; silent with --json. */
  print(text: string): void
  /** The result: printed with --json, silent without. */
  data(value: unknown): void
  /** The result as it is, with and without --json: a bare value, a file. */
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
  return {
    json,
    paint: pc.createColors(pc.isColorSupported && process.stdout.isTTY === true),
    print: (text) => (json ? undefined : out(`${text}\n`)),
    data: (value) => {
      if (!json) return
      if (process.stdout.isTTY === true || typeof value !== 'object' || value === null || Array.isArray(value))
        return out(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0)}\n`)
      for (const part of jsonParts(value)) out(part)
      out('\n')
    },
    raw: out,
    note: (text) => {
      clear()
      process.stderr.write(`${text}\n`)
    },
    progress: (text) => {
      if (process.stderr.isTTY !== true || json) return
      clear()
      process.stderr.write(text)
      shown = text.length
    },
  }
}

/** `1 entry`, `3 entries`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
