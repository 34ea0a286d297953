// A server next to a command line: what the other process applied is visible to the next request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

const colours = (label: string) => [{ type: 'value_set', key: 'colours', label, body: { values: [] } }]

describe('a generation that another process applied', () => {
  it('is served immediately, and listed as the active one', async () => {
    for (const label of ['One', 'Two', 'Three']) {
      const { generation } = await test.beside(({ org }) =>
        org.apply({ source: { kind: 'components', components: colours(label) }, actor: 'admin' }),
      )
      const page = await test.studio('GET', '/metadata/v3/components/value_set/colours')
      expect(page.text).toContain(`"${label}"`)
      const listed = await test.studio<{ active: number; generations: { generation: number }[] }>(
        'GET',
        '/metadata/v3/generations',
      )
      expect(listed.body.active).toBe(generation)
      expect(listed.body.generations[0]!.generation).toBe(generation)
    }
  })

  it('is reported once, regardless of how many requests wait for it', async () => {
    const generations: number[] = []
    await test.beside(async ({ org }) => {
      org.onActivation(({ generation }) => generations.push(generation))
      await test.studio('POST', '/metadata/v3/apply', { components: colours('Nine') })
      await Promise.all(Array.from({ length: 20 }, () => org.refresh()))
      expect(generations).toEqual([org.activeGeneration()])
    })
  })
})
