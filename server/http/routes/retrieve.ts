// Returns the component files of a generation, byte for byte as a retrieve to disk.
import { z } from 'zod'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import {
  carriedDescription,
  descriptionPathOf,
  fileText,
  manifestName,
  manifestText,
  pathOf,
  type Manifest,
} from '../../pipeline/index.ts'
import type { OrgStore } from '../../ports/org-store.ts'
import { jsonPiecesReply, mediaReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { wholeNumber } from '../schemas/common.ts'
import { visibleGeneration } from '../visible-generation.ts'

const ndjson = 'application/x-ndjson'

export const retrieve = defineRoute({
  method: 'get',
  path: '/metadata/v3/retrieve',
  name: 'retrieve',
  summary:
    'Retrieve the component files of a generation; as a stream of lines with Accept: application/x-ndjson',
  effect: 'reads',
  query: z.strictObject({ generation: wholeNumber.optional() }),
  reply: z.object({ lineage: z.string(), generation: z.int(), files: z.record(z.string(), z.string()) }),
  negotiated: ndjson,
  errors: ['generation.not_found'],
  handle: ({ query, raw, ...request }) => {
    const { snapshot, shown } = visibleGeneration(request, query.generation)
    const { lineage } = request.services.org.facts()
    const manifest: Manifest = { lineage, generation: snapshot.generation }
    const files = filesOf(request.services.store, shown, manifest)
    return raw.request.accepts(['application/json', ndjson]) === ndjson
      ? mediaReply(ndjson, { pieces: linesOf(files) })
      : jsonPiecesReply(documentOf(manifest, files))
  },
})

type Files = Iterable<[path: string, text: string]>

function* linesOf(files: Files): Iterable<string> {
  for (const [path, text] of files) yield `${JSON.stringify({ path, text })}\n`
}

/** Yields one JSON document in pieces; for a hundred thousand components it is never one text in memory. */
function* documentOf(manifest: Manifest, files: Files): Iterable<string> {
  let before = `${JSON.stringify(manifest).slice(0, -1)},"files":{`
  for (const [path, text] of files) {
    yield `${before}${JSON.stringify(path)}:${JSON.stringify(text)}`
    before = ','
  }
  yield '}}'
}

function* filesOf(store: OrgStore, view: ComponentView, manifest: Manifest): Files {
  yield [manifestName, manifestText(manifest)]
  for (const component of view.all() as Iterable<Component>) {
    yield [pathOf(component.type, component.key), fileText(component)]
    const description = store.read((reader) => carriedDescription(reader, component))
    if (description !== null) yield [descriptionPathOf(component.key), description]
  }
}
