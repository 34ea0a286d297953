// Handles a request: checks its inputs against the declaration of the route, then calls the handler. The same in all
// threads.
import { z } from 'zod'
import type { RequestContext } from './request-context.ts'
import type { RouteCall } from './lanes.ts'
import { parseBody } from './parse-body.ts'
import { Reply } from './reply.ts'
import { validateInput } from './request-issues.ts'
import type { PublicRequest, Route } from './route.ts'
import type { Services } from './services.ts'

type Raw = PublicRequest<unknown, unknown, unknown>['raw']

/**
 * Returns what the handler does: the result, or a promise of it.
 * @throws AlmanacError `request.malformed`, `limit.too_many_elements`, and those of the route
 */
export function handleRoute(
  services: Services,
  route: Route,
  call: RouteCall,
  caller: Partial<RequestContext> & { raw: Raw },
): unknown {
  const result = route.handle({
    ...parseInputs(route, call),
    services,
    correlationId: call.correlationId,
    ...(caller as RequestContext & { raw: Raw }),
  })
  return services.checkReplies ? checkedResult(route, result) : result
}

async function checkedResult(route: Route, pending: unknown): Promise<unknown> {
  const result = await pending
  if (route.reply !== undefined && !(result instanceof Reply)) checkReply(route, result)
  return result
}

/** @throws AlmanacError `request.malformed`, `limit.too_many_elements` */
export function parseInputs(
  route: Route,
  { params, query, blocks, elements }: RouteCall,
): { params: unknown; query: unknown; body: unknown } {
  const media = route.bodyMedia ?? 'application/json'
  const body = blocks === null ? undefined : parseBody(blocks, media, elements)
  return {
    params: parseInput(route.params, params, 'path'),
    query: parseQuery(route, query),
    body: parseInput(route.body, body, 'body', route.secrets),
  }
}

/** A misspelt parameter is refused by name, also by routes that take none; other standards have rules of their own. */
function parseQuery({ query: schema, foreignErrorFormat }: Route, query: unknown): unknown {
  if (schema !== undefined) return validateInput(schema, query, 'query')
  if (foreignErrorFormat === undefined && hasNames(query)) validateInput(noParameters, query, 'query')
  return undefined
}

const noParameters = z.strictObject({})

const hasNames = (query: unknown): boolean => Object.keys(query as object).length > 0

function parseInput(
  schema: z.ZodType | undefined,
  value: unknown,
  part: string,
  secrets?: readonly string[],
): unknown {
  return schema === undefined ? undefined : validateInput(schema, value, part, { secrets })
}

/** In tests: a response that differs from its declaration is an error. */
function checkReply(route: Route, result: unknown): void {
  const parsed = route.reply!.safeParse(JSON.parse(JSON.stringify(result)))
  if (!parsed.success)
    throw new Error(`${route.name} returned what it does not declare: ${JSON.stringify(parsed.error.issues)}`)
}
