// Listings of remotes are stored in parts: they are read as they were stored, and nothing is left of replaced ones.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Digest } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { initOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { saveListing, readListing, type Listing } from '../../server/remotes/listing.ts'

let dir: string
let org: OpenedOrg
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-listings-'))
  org = initOrg(dir, { name: 'Listings', environment: 'test' })
  await org.write((transactor) => transactor.remotes.put({ key: 'far', name: 'Far' } as never))
})
afterEach(async () => {
  await org.close()
  rmSync(dir, { recursive: true, force: true })
})

const listingOf = (generation: number, size: number): Listing => ({
  ...{ generation, at: '2026-01-01T00:00:00.000Z' },
  digests: new Map(
    Array.from({ length: size }, (_, at): [ComponentId, Digest] => [
      `config_entry/rates.e${at}`,
      `jcs1:sha256:${String(at + generation).padStart(64, '0')}` as Digest,
    ]),
  ),
})

it.each([0, 1, 2000, 5000])('listings of %i components are read as they were stored', async (size) => {
  await saveListing(org, 'far', ['listed'], listingOf(7, size))
  expect(await readListing(org, 'far', 'listed')).toEqual(listingOf(7, size))
  expect(await readListing(org, 'far', 'seen')).toBeUndefined()
})

it('listings share their parts until one is replaced', async () => {
  await saveListing(org, 'far', ['listed', 'seen'], listingOf(1, 3000))
  await saveListing(org, 'far', ['listed'], listingOf(2, 3000))
  expect(await readListing(org, 'far', 'seen')).toEqual(listingOf(1, 3000))
  expect(await readListing(org, 'far', 'listed')).toEqual(listingOf(2, 3000))
  const first = org.store.read((reader) => reader.remotes.listing('far', 'seen'))!.listing
  await saveListing(org, 'far', ['seen'], listingOf(3, 1))
  expect(org.store.read((reader) => reader.remotes.listingPart(first, 0))).toBeUndefined()
})

it('listings are read completely if they are replaced in the meantime', async () => {
  await saveListing(org, 'far', ['listed'], listingOf(1, 20_000))
  const [read] = await Promise.all([
    readListing(org, 'far', 'listed'),
    saveListing(org, 'far', ['listed'], listingOf(2, 4000)),
  ])
  expect(read!.digests.size).toBe(read!.generation === 1 ? 20_000 : 4000)
})
