// The import of a large description of an external service.
import { fileURLToPath } from 'node:url'
import { timedProcess } from '../support/almanac.ts'
import { roundsOf, timingOf } from '../support/compare.ts'
import type { ImportInProcess } from '../support/import-process.ts'
import { duration, type Part } from '../support/part.ts'
import { isInstalled, notInstalled, peersFolder, versionOf } from '../support/peer.ts'

const name = '@octokit/openapi'
const file = fileURLToPath(new URL(`node_modules/${name}/generated/api.github.com.json`, peersFolder))
const rounds = 7
const most = { ms: 5000, bytes: 400e6 }

export const descriptionPart: Part = {
  name: 'description',
  title: 'A large description',
  async run({ say }) {
    if (!isInstalled(name)) return { lines: [], notes: [notInstalled] }
    const process = fileURLToPath(new URL('../support/import-process.ts', import.meta.url))
    const times: number[] = []
    const peaks: number[] = []
    const results = new Set<string>()
    let last: ImportInProcess | null = null
    for (let round = 0; round < roundsOf(rounds); round += 1) {
      say(`import, ${round + 1} of ${roundsOf(rounds)}`)
      const { stdout, peak } = await timedProcess(globalThis.process.execPath, [process, file])
      last = JSON.parse(stdout) as ImportInProcess
      times.push(last.ms)
      if (peak !== null) peaks.push(peak)
      results.add(last.hash)
    }
    if (results.size !== 1) throw new Error('Two imports of the same text have different hashes.')
    const { operations, bytes } = last!
    const { ms } = timingOf('', times)
    const peak = peaks.length === 0 ? null : Math.max(...peaks)
    const work = `${Math.round(bytes / 1e6)} MB of JSON, all ${operations.toLocaleString('en')} operations`
    const none = { against: '', ratio: '' }
    return {
      lines: [
        {
          ...{ what: 'import', work, ours: duration(ms), ...none },
          ...{ aim: `≤ ${most.ms / 1000} s`, met: ms <= most.ms },
        },
        {
          ...{ what: 'peak memory of it', work: 'resident set, highest of all turns', ...none },
          ours: peak === null ? '?' : `${Math.round(peak / 1e6)} MB`,
          ...{ aim: '≤ 400 MB', met: peak === null ? null : peak <= most.bytes },
        },
      ],
      notes: [
        `The text is that of ${name} ${versionOf(name)}. Each turn is a process of its own, and the time is from the text in a file to bundle, hash, types and signatures of every operation; each turn must come to the same hash. The memory is the high-water mark of the resident set of the process that the operating system reports (Linux).`,
      ],
    }
  },
}
