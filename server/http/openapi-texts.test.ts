import { expect, it } from 'vitest'
import { DocumentTexts } from './openapi-texts.ts'

const document = { openapi: '3.1.0', paths: { '/a': { get: { summary: 'A' } } }, components: { schemas: {} } }

/** Counts how often a document is built. */
function counted(built: object = document) {
  const build = async (): Promise<object> => {
    build.count += 1
    await new Promise((resolve) => setTimeout(resolve, 1))
    return built
  }
  build.count = 0
  return build
}
const textOf = (pieces: Iterable<string>): string => [...pieces].join('')

it('requests that arrive together share one document, which is kept', async () => {
  const texts = new DocumentTexts()
  const build = counted()
  const together = await Promise.all(Array.from({ length: 8 }, () => texts.of(document, build)))
  expect(new Set(together.map(textOf))).toEqual(new Set([JSON.stringify(document)]))
  await texts.of(document, build)
  expect(build.count).toBe(1)
  await texts.of({}, build)
  expect(build.count).toBe(2)
})

it('a long text is not kept, and is written again for each response', async () => {
  const texts = new DocumentTexts(20)
  const build = counted()
  const pieces = await texts.of(document, build)
  expect([pieces, pieces].map(textOf)).toEqual([JSON.stringify(document), JSON.stringify(document)])
  await texts.of(document, build)
  expect(build.count).toBe(2)
})

it('a failure is not kept', async () => {
  const texts = new DocumentTexts()
  const fail = (): Promise<object> => Promise.reject(new Error('busy'))
  await expect(Promise.all([texts.of(document, fail), texts.of(document, fail)])).rejects.toThrow('busy')
  expect(textOf(await texts.of(document, counted()))).toBe(JSON.stringify(document))
})
