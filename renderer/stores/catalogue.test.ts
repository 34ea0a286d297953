import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ComponentId } from '../api/wire.ts'
import { useCatalogue } from './catalogue.ts'

/** The paths that were read since the last call. */
let paths: string[] = []
const readPaths = async (): Promise<string[]> => {
  await new Promise((done) => setTimeout(done))
  return paths.splice(0).sort()
}

beforeEach(() => {
  paths = []
  vi.stubGlobal('location', new URL('http://almanac.test/'))
  vi.stubGlobal('fetch', (address: string | URL) => {
    const { pathname, searchParams } = new URL(address, 'http://almanac.test/')
    paths.push(`${pathname} ${searchParams.get('type') ?? ''}`.trim())
    return Promise.resolve(Response.json({ components: [], users: [], groups: [], nextCursor: null }))
  })
  setActivePinia(createPinia())
})
afterEach(() => vi.unstubAllGlobals())

const components = '/metadata/v3/components'

it('reads again only what a changed draft can affect, everything if more changed, and people when they change', async () => {
  const catalogue = useCatalogue()
  catalogue.list('config_set')
  catalogue.list('app')
  catalogue.envelope('config_set', 'vat_rate')
  catalogue.envelope('config_set', 'fee')
  catalogue.people()
  expect(await readPaths()).toHaveLength(5)

  catalogue.readAgain(new Set<ComponentId>(['config_set/vat_rate']))
  expect(await readPaths()).toEqual([`${components} config_set`, `${components}/config_set/vat_rate`])
  catalogue.readAgain(new Set<ComponentId>(['config_entry/vat_rate.de']))
  expect(await readPaths()).toEqual([])

  catalogue.readAgain(null)
  expect(await readPaths()).toEqual([
    `${components} app`,
    `${components} config_set`,
    `${components}/config_set/fee`,
    `${components}/config_set/vat_rate`,
  ])
  catalogue.people()
  await readPaths()
  catalogue.readPeopleAgain()
  expect(await readPaths()).toEqual(['/setup/v3/principals'])
})
