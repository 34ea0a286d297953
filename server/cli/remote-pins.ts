// A remote's lineage is pinned at first contact; another org behind the same address is refused (completions 4).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

/** @param repin a person has decided to trust the org that is there now. @throws AlmanacError conflict.lineage_changed */
export function checkPin(remote: string, lineage: string, repin: boolean): void {
  const file = join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'almanac', 'remotes.json')
  const pins = readPins(file)
  const address = new URL(remote).origin
  const pinned = pins[address]
  if (pinned === lineage) return
  if (pinned !== undefined && !repin)
    throw new AlmanacError(
      'conflict.lineage_changed',
      `${address} was the org ${pinned} and is ${lineage} now. If that is meant, push again with --pin; nothing was sent.`,
      { details: [{ address, pinned, found: lineage }] },
    )
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ ...pins, [address]: lineage }, null, 2)}\n`)
}

function readPins(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}
