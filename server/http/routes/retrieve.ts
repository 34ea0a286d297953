// Component files of a generation, byte for byte as a retrieve to disk writes them (completions 1; HTTP surface).
import { z } from 'zod'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { visibleSets, visibleView } from '../../access/index.ts'
import { fileText, manifestName, manifestText, pathOf, type Manifest } from '../../pipeline/index.ts'
import { streamReply, type Reply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { wholeNumber } from '../schemas/common.ts'

const ndjson = 'application/x-ndjson'

export const retrieve = defineRoute({
  method: 'get',
  path: '/metadata/v3/retrieve',
  name: 'retrieve',
  summary: 'Component files of a generation; as a stream of lines with Accept: application/x-ndjson',
  effect: 'reads',
  query: z.strictObject({ generation: wholeNumber.optional() }),
  reply: z.object({ lineage: z.string(), generation: z.int(), files: z.record(z.string(), z.string()) }),
  errors: ['generation.not_found'],
  handle: ({ services, query, world, access, raw }): object | Reply => {
    const { generation, view } = query.generation === undefined ? world : services.org.pin(query.generation)
    const manifest: Manifest = { lineage: services.org.facts().lineage, generation }
    const files = filesOf(visibleView(view, visibleSets(access, view, world.view)), manifest)
    if (raw.request.accepts(['application/json', ndjson]) !== ndjson)
      return { ...manifest, files: Object.fromEntries(files) }
    return streamReply(ndjson, async (response) => {
      for (const [path, text] of files) {
        if (response.destroyed) return
        const flows = response.write(`${JSON.stringify({ path, text })}\n`)
        if (!flows) await drained(response)
      }
      response.end()
    })
  },
})

function* filesOf(view: ComponentView, manifest: Manifest): Iterable<[path: string, text: string]> {
  yield [manifestName, manifestText(manifest)]
  for (const component of view.all() as Iterable<Component>)
    yield [pathOf(component.type, component.key), fileText(component)]
}

function drained(response: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.on('drain', go)
    response.on('close', go)
  })
}
