// Stored results: list, recompute, and archive, which releases their generation.
import { z } from 'zod'
import { jsonText } from '../json-text.ts'
import { jsonPiecesReply, textReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { pageQuery } from '../schemas/common.ts'
import { evaluationErrors, recomputation, storedResult } from '../schemas/evaluation.ts'
import { viewingActor } from '../views/viewing-actor.ts'

const ofResult = z.strictObject({ id: z.string().min(1).max(100) })

export const results = defineRoute({
  method: 'get',
  path: '/setup/v3/results',
  name: 'listResults',
  summary: 'List stored results, newest first',
  effect: 'reads',
  query: z.strictObject({
    before: z.string().optional().meta({ description: 'The id of the last result on the previous page.' }),
    limit: pageQuery.limit,
  }),
  reply: z.object({ results: z.array(storedResult) }),
  errors: [],
  handle: ({ query, ...request }) => ({
    results: request.services.evaluation.results(viewingActor(request), query),
  }),
})

export const getResult = defineRoute({
  method: 'get',
  path: '/setup/v3/results/{id}',
  name: 'getResult',
  summary: 'Get a stored result',
  effect: 'reads',
  params: ofResult,
  reply: storedResult,
  errors: ['binding.not_found'],
  handle: ({ params, ...request }) => request.services.evaluation.result(viewingActor(request), params.id),
})

export const rebindResult = defineRoute({
  method: 'post',
  path: '/setup/v3/results/{id}/rebind',
  name: 'rebindResult',
  summary: 'Recompute a stored result against the active generation and store it',
  effect: 'writes',
  params: ofResult,
  reply: recomputation,
  errors: [...evaluationErrors, 'binding.not_found'],
  handle: ({ services, params, by }) => services.evaluation.rebind(by, params.id),
})

export const archiveResult = defineRoute({
  method: 'post',
  path: '/setup/v3/results/{id}/archive',
  name: 'archiveResult',
  summary: 'Archive a stored result: export its evidence and release its generation',
  effect: 'writes',
  params: ofResult,
  reply: z.object({ resultId: z.string(), evidence: z.string() }),
  errors: ['binding.not_found', 'generation.not_found'],
  handle: async ({ services, params, by }) =>
    jsonPiecesReply(archiveJson(await services.evaluation.archive(by, params.id))),
})

function* archiveJson({ resultId, evidence }: { resultId: string; evidence: string }): Iterable<string> {
  yield `{"resultId":${JSON.stringify(resultId)},"evidence":`
  yield* jsonText(evidence)
  yield '}'
}

export const evidence = defineRoute({
  method: 'post',
  path: '/setup/v3/evaluate/evidence',
  name: 'exportEvidence',
  summary: 'Get the signed evidence bundle of a stored result, byte for byte as it verifies',
  effect: 'reads',
  body: z.strictObject({ resultId: z.string() }),
  media: 'application/json',
  errors: ['binding.not_found', 'generation.not_found'],
  handle: async ({ body, ...request }) =>
    textReply(
      await request.services.evaluation.evidence(viewingActor(request), body.resultId),
      'application/json; charset=utf-8',
    ),
})
