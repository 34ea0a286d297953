// Pins the lineage of a remote at first contact; another org at the same URL is refused.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { makeFolder, readText, writeFileAtomic } from '../files/index.ts'

/** @param repin a user decided to trust the org that is there now. @throws AlmanacError conflict.lineage_changed */
export function checkPin(remote: string, lineage: string, repin: boolean): void {
  const file = join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'almanac', 'remotes.json')
  const pins = readPins(file)
  const address = new URL(remote).origin
  const pinned = pins[address]
  if (pinned === lineage) return
  if (pinned !== undefined && !repin)
    throw new AlmanacError(
      'conflict.lineage_changed',
      `${address} was the org ${pinned} and is now ${lineage}. Nothing was sent. If this is intended, push again with --pin.`,
      { details: [{ address, pinned, found: lineage }] },
    )
  makeFolder(dirname(file))
  writeFileAtomic(file, `${JSON.stringify({ ...pins, [address]: lineage }, null, 2)}\n`)
}

/** @throws AlmanacError files.invalid, because ignoring an unreadable pin would trust any org */
function readPins(file: string): Record<string, string> {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readText(file)) as Record<string, string>
  } catch (cause) {
    if (cause instanceof AlmanacError) throw cause
    throw new AlmanacError(
      'files.invalid',
      `${file} is not valid JSON. Fix it, or remove it to pin every URL again.`,
      { cause },
    )
  }
}
