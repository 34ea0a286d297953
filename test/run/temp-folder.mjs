// The folder for everything that tests write. In memory if there is room, because an org in a test does not have to
// survive the machine, and waiting for a disk at each commit takes longer than many a test.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

/** Creates the folder, which is removed when the process ends. */
export function makeTempFolder() {
  const folder = mkdtempSync(join(hasRoom(memory) ? memory : tmpdir(), 'almanac-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}
