// A secret from a person or a script, never an argument: arguments stand in the shell's history and in the process list.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { UsageError } from './fail.ts'

/** The whole of stdin without its last line break. */
export function secretFromStdin(): string {
  return readFileSync(0, 'utf8').replace(/\r?\n$/, '')
}

/** Asks on the terminal without showing what is typed. @throws UsageError where there is no terminal */
export async function promptSecret(question: string, fromStdin: string): Promise<string> {
  if (process.stdin.isTTY !== true)
    throw new UsageError(`There is no terminal to ask on. Give ${fromStdin} and write it to stdin.`)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  const interrupted = new AbortController()
  lines.on('SIGINT', () => interrupted.abort())
  process.stderr.write(question)
  try {
    return await lines.question('', { signal: interrupted.signal })
  } catch (cause) {
    throw new AlmanacError('request.invalid', 'Nothing was typed, and nothing was done.', { cause })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** A new password, typed twice. @throws AlmanacError request.invalid where the two differ */
export async function promptNewPassword(user: string): Promise<string> {
  const first = await promptSecret(`New password of ${user}: `, '--password-stdin')
  if ((await promptSecret('Once more: ', '--password-stdin')) === first) return first
  throw new AlmanacError('request.invalid', 'The two are not the same. Nothing was done; try again.')
}
