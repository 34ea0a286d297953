// Reads a secret from a person or a script, never from an argument: arguments are in the shell's history and in the
// process list.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { UsageError } from './fail.ts'

/** Reads stdin to its end, without the last line break. */
export function secretFromStdin(): string {
  return readFileSync(0, 'utf8').replace(/\r?\n$/, '')
}

/** Prompts on the terminal without echo. @throws UsageError without a terminal */
export async function promptSecret(question: string, fromStdin: string): Promise<string> {
  if (process.stdin.isTTY !== true)
    throw new UsageError(`Cannot prompt without a terminal. Pass ${fromStdin} and write it to stdin.`)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  const interrupted = new AbortController()
  lines.on('SIGINT', () => interrupted.abort())
  process.stderr.write(question)
  try {
    return await lines.question('', { signal: interrupted.signal })
  } catch (cause) {
    throw new AlmanacError('request.invalid', 'The input is empty. Nothing was changed.', { cause })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** Prompts twice for a new password. @throws AlmanacError request.invalid if the two differ */
export async function promptNewPassword(user: string): Promise<string> {
  const first = await promptSecret(`New password for ${user}: `, '--password-stdin')
  if ((await promptSecret('Repeat the password: ', '--password-stdin')) === first) return first
  throw new AlmanacError('request.invalid', 'The passwords do not match. Nothing was changed. Try again.')
}
